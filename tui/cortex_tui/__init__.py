"""Terminal UI (not part of this release yet)."""
