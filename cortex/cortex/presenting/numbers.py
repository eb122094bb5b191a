"""Numbers as a person reads them."""


def e_value(value: float) -> str:
    """Return an e-value with as many digits as matter."""
    if value >= 1e6:
        return f"{value:.0e}"
    return f"{value:,.0f}" if value >= 100 else f"{value:.2g}"
