"""The scripted developer's prompts and corrections."""

import random
from dataclasses import dataclass

from cortex.demo.playbook import CLOCK, ERRORS, MONEY
from cortex.demo.world import BILLS, MODULES, ROUTES

SHOP, BILLING, API = "shop", "billing", "api"
BAD = {CLOCK: r"datetime\.now\(\)", MONEY: r"float\(", ERRORS: r"ValueError\("}
GOOD = {CLOCK: r"clock\.now\(", MONEY: r"Money\.parse\(", ERRORS: r"ShopError\("}
"""Regular expressions over added lines, by which the developer judges the agent's work."""

_CORRECTIONS = {
    CLOCK: (
        "no, use clock.now() here, not datetime.now() - our tests stop the clock",
        "don't call datetime.now(), we always use clock.now() in the shop",
        "that should be clock.now() instead of datetime.now()",
        "please use clock.now(), datetime.now() ignores our zone",
        "wrong clock: we never use datetime.now(), it must be clock.now()",
        "again datetime.now()... use clock.now() instead",
    ),
    MONEY: (
        "no floats for money: use Money.parse() instead of float()",
        "that's wrong, amounts are read with Money.parse(), never float()",
        "don't use float() for amounts, use Money.parse()",
        "use Money.parse() here, not float() - we lose cents otherwise",
        "we always use Money.parse() for amounts, not float()",
    ),
    ERRORS: (
        "no, raise ShopError here, not ValueError - the server only catches that",
        "that must be ShopError instead of ValueError",
        "don't raise ValueError in routes, we use ShopError",
        "use ShopError, a ValueError gives the customer a blank page",
        "wrong error: it should be ShopError, not ValueError",
    ),
}
_KEYS = ("packed", "opened", "counted", "received", "shipped", "checked", "moved", "signed")
_FIELDS = ("net", "gross", "discount", "deposit", "shipping", "balance", "paid", "due")
_NEEDS = ("query", "basket", "user", "address", "rating", "voucher", "token", "page")


@dataclass(frozen=True, slots=True)
class RecordedSession:
    """A session to record: a prompt, and the correction when the agent breaks a convention."""

    prompt: str
    file: str
    habit: str
    correction: str
    channel: str
    """How the developer corrects: `follow-up`, `reject`, `interrupt` or `hand`."""


def recorded_sessions(seed: int) -> tuple[tuple[RecordedSession, ...], tuple[RecordedSession, ...]]:
    """Return the sessions before and after the developer wrote a rule about errors."""
    draw = random.Random(f"demo {seed}")
    early = _sessions_of(draw, ERRORS, ROUTES, ("follow-up", "reject", "follow-up", "reject"))
    late = [
        *_sessions_of(
            draw,
            CLOCK,
            MODULES,
            ("follow-up", "reject", "follow-up", "hand", "interrupt", "follow-up"),
        ),
        *_sessions_of(
            draw, MONEY, BILLS, ("follow-up", "reject", "follow-up", "interrupt", "follow-up")
        ),
        RecordedSession(
            "Write docs/returns.md about sending things back.",
            "docs/returns.md",
            "title",
            "no, the title should be 'Sending things back'",
            "follow-up",
        ),
        RecordedSession(
            "Add the opening hours to docs/contact.md.",
            "docs/contact.md",
            "hours",
            "that's wrong, we are open from nine to five",
            "follow-up",
        ),
    ]
    draw.shuffle(late)
    return tuple(early), tuple(late)


def held_out(seed: int) -> tuple[tuple[str, str, str], ...]:
    """Return (prompt, file, habit) of held-out work, which no session contains."""
    draw = random.Random(f"held out {seed}")
    work = []
    for habit, files, keys in (
        (CLOCK, MODULES, _KEYS[4:]),
        (MONEY, BILLS, _FIELDS[4:]),
        (ERRORS, ROUTES, _NEEDS[4:]),
    ):
        for key in keys:
            prompt, file = _prompt(habit, draw.choice(files), key, f"later_{key}")
            work.append((prompt, file, habit))
    return tuple(work)


def _sessions_of(
    draw: random.Random, habit: str, names: tuple[str, ...], channels: tuple[str, ...]
) -> list[RecordedSession]:
    keys = {CLOCK: _KEYS, MONEY: _FIELDS, ERRORS: _NEEDS}[habit]
    corrections = draw.sample(_CORRECTIONS[habit], len(channels))
    files = draw.sample(names, len(channels))
    sessions = []
    for channel, correction, name, key in zip(channels, corrections, files, keys, strict=False):
        prompt, file = _prompt(habit, name, key, f"{key}_{name}")
        sessions.append(RecordedSession(prompt, file, habit, correction, channel))
    return sessions


def _prompt(habit: str, name: str, key: str, function: str) -> tuple[str, str]:
    if habit == CLOCK:
        file = f"{SHOP}/{name}.py"
        return f"Add `{function}` to {file}: it returns the record with the time as `{key}`.", file
    if habit == MONEY:
        file = f"{BILLING}/{name}.py"
        return f"Add `{function}` to {file}: it reads an amount from the field `{key}`.", file
    file = f"{API}/{name}.py"
    return f"Add `{function}` to {file}: a request requires `{key}`.", file
