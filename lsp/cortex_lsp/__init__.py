"""Language server: verdicts of harness text where it is written."""
