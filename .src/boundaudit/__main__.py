"""`python -m boundaudit`: the command line."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; Ctrl-C while it is loaded ends it as at any other time."""
    try:
        from boundaudit.reports.cli.main import main as called
    except KeyboardInterrupt:
        print("boundaudit: interrupted", file=sys.stderr)
        sys.exit(3)
    called()


if __name__ == "__main__":
    main()
