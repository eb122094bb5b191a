"""Language server: verdicts of harness text in the editor (not part of this release yet)."""
