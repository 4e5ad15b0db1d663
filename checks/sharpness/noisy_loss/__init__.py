"""The construction's loss under noise of a finite size."""
