"""What a run keeps: receipts, their keys, run folders, studies."""
