"""The one form in which points in time are written."""

import re
from datetime import UTC, datetime, timedelta, timezone

import pytest

from cortex import timestamps


def test_the_current_time_is_utc_to_the_millisecond() -> None:
    before = datetime.now(UTC)
    text = timestamps.now()
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", text)
    assert abs(timestamps.parse(text) - before) < timedelta(seconds=5)


def test_a_moment_of_another_zone_is_written_in_utc() -> None:
    moment = datetime(2026, 1, 5, 1, 30, tzinfo=timezone(timedelta(hours=2)))
    assert timestamps.timestamp(moment) == "2026-01-04T23:30:00.000Z"
    assert timestamps.parse("2026-01-05T01:30:00+02:00") == moment


def test_text_without_a_zone_is_utc() -> None:
    assert timestamps.parse("2026-01-05T09:00:00") == datetime(2026, 1, 5, 9, tzinfo=UTC)


def test_other_text_is_refused() -> None:
    with pytest.raises(ValueError, match="yesterday"):
        timestamps.parse("yesterday")


def test_a_day_begins_at_midnight_utc() -> None:
    evening = datetime(2026, 1, 5, 23, 30, tzinfo=timezone(timedelta(hours=-2)))
    assert timestamps.midnight(evening) == "2026-01-06T00:00:00.000Z"
    assert timestamps.midnight() <= timestamps.now()
    assert timestamps.midnight()[:10] == timestamps.now()[:10]
