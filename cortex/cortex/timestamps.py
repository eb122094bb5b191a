"""Points in time as Cortex writes them: ISO 8601, UTC, milliseconds, `Z`.

Text of this form sorts by time, which the store relies on.
"""

from datetime import UTC, datetime


def now() -> str:
    """Return the current time."""
    return timestamp(datetime.now(UTC))


def timestamp(moment: datetime) -> str:
    """Return an aware `moment` as text: `2026-01-05T09:00:00.000Z`."""
    utc = moment.astimezone(UTC)
    return utc.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def parse(text: str) -> datetime:
    """Return the moment of an ISO 8601 text, in UTC where it names no zone.

    Raises ValueError for other text.
    """
    moment = datetime.fromisoformat(text)
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


def midnight(moment: datetime | None = None) -> str:
    """Return when the UTC day of `moment` (default: today) began: where a day's budget starts."""
    day = (moment or datetime.now(UTC)).astimezone(UTC)
    return timestamp(day.replace(hour=0, minute=0, second=0, microsecond=0))
