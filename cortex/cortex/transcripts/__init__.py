"""Sessions as agents left them on disk: pure reading, tolerant of versions and damage."""
