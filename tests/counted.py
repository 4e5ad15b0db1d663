"""What work takes, as the number of functions that it calls: the same on every machine and beside other work."""

import cProfile
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path


def calls_in(work: Callable[[], object]) -> int:
    """How many functions are called, PyTorch's and NumPy's too."""
    profile = cProfile.Profile()
    profile.runcall(work)
    return sum(entry.callcount for entry in profile.getstats())


_COMMAND = """
import sys
from tests.counted import calls_in
def command():
    from boundaudit.reports.cli.main import main
    try:
        main(sys.argv[1:])
    except SystemExit:
        pass
print(calls_in(command), file=sys.stderr)
"""


def calls_of(*arguments: str, cwd: Path) -> int:
    """How many functions a command calls in a process of its own, its imports among them."""
    paths = os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    ended = subprocess.run(
        [sys.executable, "-c", _COMMAND, *arguments], cwd=cwd, env=os.environ | {"PYTHONPATH": paths},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return int(ended.stderr.splitlines()[-1])
