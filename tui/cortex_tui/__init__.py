"""Terminal UI: the inbox, the harness and what is known about each, by keyboard."""
