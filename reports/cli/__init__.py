"""The command line. Heavy libraries are imported by the commands that need them, when they run."""
