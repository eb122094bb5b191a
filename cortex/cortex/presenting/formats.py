"""Numbers as a person reads them, the same on every surface."""


def e_value(value: float) -> str:
    """Return an e-value: two digits below 10, whole numbers above; bounds at both ends."""
    if value >= 1e6:
        return "over 1,000,000"
    if value < 0.001:
        return "under 0.001"
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


def lift(value: float) -> str:
    """Return a difference of pass rates, signed: `+0.75`; no `-0.00`."""
    return f"{round(value, 2) + 0.0:+.2f}"


def rate(passed: int, total: int) -> str:
    """Return passes of a number of trials as `3/4`; empty without a trial."""
    return f"{passed}/{total}" if total else ""


def usd(amount: float) -> str:
    """Return an amount of money."""
    return f"{amount:.2f} USD"


def count(number: int, noun: str) -> str:
    """Return a number with its noun: `1 pair`, `2 pairs`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def more(number: int, noun: str) -> str:
    """Return `1 more pair`, `2 more pairs`."""
    return f"{number:,} more {noun}{'' if number == 1 else 's'}"


def tokens(number: int) -> str:
    """Return an estimated number of tokens."""
    return f"~{number} tokens"


def size(number: int) -> str:
    """Return a number of bytes: `0 bytes`, `12 kB`, `3.4 MB`."""
    if number < 1000:
        return f"{number} bytes"
    power = 1 if number < 999_500 else 2 if number < 999_500_000 else 3
    amount, unit = number / 1000**power, ("kB", "MB", "GB")[power - 1]
    return f"{amount:.1f} {unit}" if amount < 9.95 else f"{amount:,.0f} {unit}"


def duration(minutes: float) -> str:
    """Return an expected time: seconds below a minute, else whole minutes."""
    if minutes < 1:
        return f"about {max(1, round(minutes * 60))} s"
    return f"about {minutes:.0f} min"


def sentence(message: str) -> str:
    """Return the message of a change as a sentence."""
    return f"{message[:1].upper()}{message[1:]}."


def date(timestamp: str) -> str:
    """Return the day of an ISO 8601 timestamp."""
    return timestamp[:10]
