"""The scripted agent's process: a seeded simulated coding agent that works on real files.

It loads rules, skills and instructions under the conditions measured with Claude Code, runs its
tools for real and writes a transcript in Claude Code's format. Each prompt starts a process, so
these modules avoid heavy imports.
"""
