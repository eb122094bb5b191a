"""Tasks from corrections: building them, deriving their checks, evaluating and describing checks.

Pure: nothing here reads a disk or runs a program.
"""
