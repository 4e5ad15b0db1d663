"""`python -m boundaudit`: the command line."""

from boundaudit.reports.cli.main import main

if __name__ == "__main__":
    main()
