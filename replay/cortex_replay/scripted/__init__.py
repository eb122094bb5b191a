"""The scripted agent's process: a seeded simulated coding agent that works on real files.

It loads rules, skills and instructions by the conditions measured of Claude Code, runs its tools
for real and writes a transcript in Claude Code's format. It lives in a short process of its own,
so nothing heavy is imported here.
"""
