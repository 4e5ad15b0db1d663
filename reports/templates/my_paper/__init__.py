"""An audit of a paper: what it says (`derivations`), what is measured (`numeric`), and what is claimed (`claims`)."""
