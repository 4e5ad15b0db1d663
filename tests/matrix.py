"""The quick tests in other environments: threads, processors' instructions, other versions. ``python -m tests.matrix``.

Named by its path, another interpreter that has the package runs them: ``python -m tests.matrix /usr/bin/python3.13``.

Prints a table as Markdown; the exit status is 1 where a test fails anywhere.
"""

import os
import re
import subprocess
import sys
import time
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PLACE = ROOT / "build" / "matrix"
ENVIRONMENTS: dict[str, dict[str, str]] = {
    "1 thread": {"OMP_NUM_THREADS": "1"}, "2 threads": {"OMP_NUM_THREADS": "2"}, "8 threads": {"OMP_NUM_THREADS": "8"},
    "MKL_CBWR=COMPATIBLE": {"MKL_CBWR": "COMPATIBLE"},
    "ATEN_CPU_CAPABILITY=default": {"ATEN_CPU_CAPABILITY": "default"},
    "ATEN_CPU_CAPABILITY=avx2": {"ATEN_CPU_CAPABILITY": "avx2"},
    "ATEN_CPU_CAPABILITY=avx512": {"ATEN_CPU_CAPABILITY": "avx512"},
}  # fmt: skip
OLDEST = "oldest admitted versions but for torch"
TESTS = ("-m", "pytest", "-q", "-n", "2", "--dist", "worksteal", "-m", "not slow and not browser", "tests")


def oldest() -> Path:
    """A Python with the oldest versions that the metadata admits, and the PyTorch of this one.

    Returns:
        Its interpreter.
    """
    from importlib import metadata

    with (ROOT / "pyproject.toml").open("rb") as file:
        wanted = tomllib.load(file)["project"]["dependencies"]
    pins = [each.replace(">=", "==") for each in wanted if not each.startswith("torch")]
    torch = "torch==" + metadata.version("torch").split("+")[0]
    python = PLACE / "oldest" / "bin" / "python"
    pip = (python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    subprocess.run([sys.executable, "-m", "venv", PLACE / "oldest"], check=True)
    subprocess.run([*pip, torch, *pins, "--editable", f"{ROOT}[dev,docs]"], check=True)
    return python


def row(name: str, python: Path, variables: dict[str, str]) -> tuple[str, bool]:
    """Run the tests in one environment.

    Args:
        name: Of the environment.
        python: Its interpreter.
        variables: Beside those of this process.

    Returns:
        A row of the table, and whether all passed.
    """
    began = time.monotonic()
    done = subprocess.run([python, *TESTS], cwd=ROOT, env=os.environ | variables, capture_output=True, text=True)
    (PLACE / f"{re.sub('[^a-z0-9]+', '-', name.lower())}.log").write_text(done.stdout + done.stderr)
    counts = {what: int(count) for count, what in re.findall(r"(\d+) (passed|failed|error)", done.stdout[-300:])}
    wrong = counts.get("failed", 0) + counts.get("error", 0)
    seconds = round(time.monotonic() - began)
    return f"| {name} | {counts.get('passed', 0):,} | {wrong} | {seconds} |", done.returncode == 0


def main(names: list[str]) -> int:
    """Print a row for each environment, or for those named; a path is an interpreter that has the package.

    Returns:
        The exit status.
    """
    PLACE.mkdir(parents=True, exist_ok=True)
    print("| environment | passed | failed | seconds |\n| --- | --- | --- | --- |")
    well = True
    for name in names or [*ENVIRONMENTS, OLDEST]:
        other = oldest() if name == OLDEST else Path(name)
        python = other if other.is_file() else Path(sys.executable)
        line, passed = row(name, python, ENVIRONMENTS.get(name, {}))
        print(line, flush=True)
        well &= passed
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
