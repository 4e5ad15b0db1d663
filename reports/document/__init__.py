"""What a report tells, as plain data, before any format."""
