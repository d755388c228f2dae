"""Results files: from paths to a frame that is scored as a person expects, and tables to files."""
