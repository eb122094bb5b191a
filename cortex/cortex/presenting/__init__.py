"""What every surface shows: titles, texts, numbers, styles and charts, each once.

Pure: from values of the use cases to text and chart models. Surfaces render only.
"""
