"""The playbook of the demo: which conventions the scripted agent tends to break."""

from typing import Any

CLOCK, MONEY, ERRORS = "clock", "money", "errors"

_HABITS: list[dict[str, Any]] = [
    {"id": CLOCK, "heeds": [r"clock\.now"], "rate": 0.04, "heeded": 0.97},
    {"id": MONEY, "heeds": [r"Money\.parse"], "rate": 0.04, "heeded": 0.97},
    {
        "id": ERRORS,
        "heeds": [r"ShopError"],
        "rate": 0.04,
        "heeded": 0.97,
        "misled_by": [r"plain ValueError"],
        "misled": 0.03,
    },
    {"id": "title", "heeds": [r"Sending things back"], "rate": 0.0, "heeded": 1.0},
    {"id": "hours", "heeds": [r"nine to five"], "rate": 0.0, "heeded": 1.0},
]

_SHOP_JOB = {
    "match": r"^Add `(?P<fn>\w+)` to (?P<file>shop/\w+\.py).* as `(?P<key>\w+)`",
    "slots": {"time": {"habit": CLOCK, "good": "clock.now()", "bad": "datetime.now()"}},
    "steps": [
        {"read": "<<file>>"},
        {
            "append": "<<file>>",
            "text": '\n\ndef <<fn>>(record: dict) -> dict:\n    """Return the record with '
            'its time."""\n    return {**record, "<<key>>": <<time>>}\n',
        },
        {"say": "Added <<fn>>."},
    ],
}
_BILL_JOB = {
    "match": r"^Add `(?P<fn>\w+)` to (?P<file>billing/\w+\.py).* from the field `(?P<key>\w+)`",
    "slots": {
        "amount": {
            "habit": MONEY,
            "good": 'Money.parse(row["<<key>>"])',
            "bad": 'float(row["<<key>>"])',
        }
    },
    "steps": [
        {"read": "<<file>>"},
        {
            "append": "<<file>>",
            "text": '\n\ndef <<fn>>(row: dict[str, str]) -> Money:\n    """Return the '
            'amount of a row."""\n    return <<amount>>\n',
        },
        {"say": "Added <<fn>>."},
    ],
}
_ROUTE_JOB = {
    "match": r"^Add `(?P<fn>\w+)` to (?P<file>api/\w+\.py).* requires `(?P<key>\w+)`",
    "slots": {
        "error": {
            "habit": ERRORS,
            "good": 'ShopError("<<key>> is missing")',
            "bad": 'ValueError("<<key>> is missing")',
        }
    },
    "steps": [
        {"read": "<<file>>"},
        {
            "append": "<<file>>",
            "text": '\n\ndef <<fn>>(payload: dict) -> str:\n    """Return what the request '
            'asks for."""\n    if "<<key>>" not in payload:\n        raise <<error>>\n'
            '    return payload["<<key>>"]\n',
        },
        {"say": "Added <<fn>>."},
    ],
}
_RETURNS_JOB = {
    "match": r"^Write (?P<file>docs/returns\.md)",
    "slots": {"title": {"habit": "title", "good": "# Sending things back", "bad": "# Returns"}},
    "steps": [{"write": "<<file>>", "text": "<<title>>\n\nWithin thirty days.\n"}],
}
_HOURS_JOB = {
    "match": r"^Add the opening hours to (?P<file>docs/contact\.md)",
    "slots": {"hours": {"habit": "hours", "good": "nine to five", "bad": "eight to six"}},
    "steps": [{"append": "<<file>>", "text": "\nOpen from <<hours>>.\n"}],
}
_LOOK_JOB = {
    "match": r"^Have a look at (?P<file>[\w/]+\.py)",
    "steps": [{"read": "<<file>>"}, {"say": "It looks fine."}],
}


def playbook() -> dict[str, Any]:
    """Return the playbook of the demo."""
    return {
        "model": "scripted-1",
        "habits": _HABITS,
        "opens": 0.9,
        "slip": 0.01,
        "jobs": [_SHOP_JOB, _BILL_JOB, _ROUTE_JOB, _RETURNS_JOB, _HOURS_JOB, _LOOK_JOB],
    }
