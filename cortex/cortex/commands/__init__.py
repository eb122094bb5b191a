"""Use cases: from plain arguments to values. Nothing here prints.

Every surface (command line, terminal UI, language server, git hook) calls these functions.
"""
