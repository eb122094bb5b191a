"""Records of Cortex: frozen values without I/O, rendering or storage keys.

They are plain dataclasses so that hot paths and short-lived processes stay light; pydantic
validates them where data crosses a boundary (`pydantic.TypeAdapter(Task)`).
"""
