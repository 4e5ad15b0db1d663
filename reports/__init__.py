"""What people read and type: the command line and the reports."""
