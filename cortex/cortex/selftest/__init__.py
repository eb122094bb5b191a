"""Experiments with a known answer, run through the shipping gate."""
