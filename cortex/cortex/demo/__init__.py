"""The demo: the real loop on a small scripted repository with planted texts.

Only this package knows what is planted; the product code that runs on it does not.
"""
