"""The daemon: does the free work as sessions grow, and runs the experiments that were queued.

It spends nothing by itself: an experiment runs only when somebody queued it with a budget.
"""
