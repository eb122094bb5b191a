"""Measurements of the shipping code; each module runs as a script."""
