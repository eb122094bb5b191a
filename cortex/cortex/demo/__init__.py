"""The demo: a small scripted world on which the real loop runs.

The world knows what is planted; the product code that runs on it does not.
"""
