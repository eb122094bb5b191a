"""Secrets are taken out of events before anything is kept.

The patterns are those of detect-secrets that name a kind of secret; its guesses by entropy or by
the name of a variable would damage code. Equal secrets become equal text, so that contents before
and after an edit still fit together.
"""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import Any

from cortex.model.sessions import Event

REMOVED = "[secret removed]"

_Substitute = Callable[[re.Match[str]], str]

_DETECTORS = {
    "aws.AWSKeyDetector": ("A3T", "ABIA", "ACCA", "AKIA", "ASIA", "aws", "AWS", "Aws"),
    "azure_storage_key.AzureStorageKeyDetector": ("AccountKey=",),
    "basic_auth.BasicAuthDetector": ("://",),
    "discord.DiscordBotTokenDetector": (".",),
    "github_token.GitHubTokenDetector": ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
    "gitlab_token.GitLabTokenDetector": ("gl", "GR1348941"),
    "mailchimp.MailchimpDetector": ("-us",),
    "npm.NpmDetector": ("_authToken",),
    "openai.OpenAIDetector": ("T3BlbkFJ",),
    "pypi_token.PypiTokenDetector": ("pypi-AgE",),
    "sendgrid.SendGridDetector": ("SG.",),
    "slack.SlackDetector": ("xox", "XOX", "hooks.slack.com"),
    "square_oauth.SquareOAuthDetector": ("sq0csp-",),
    "stripe.StripeDetector": ("k_live_",),
    "telegram_token.TelegramBotTokenDetector": (":",),
    "twilio.TwilioKeyDetector": ("AC", "SK"),
}
"""Detector -> texts of which one stands in every match: looking for these first is much faster."""

_MORE_THAN_THE_SECRET = frozenset(
    {"aws.AWSKeyDetector", "basic_auth.BasicAuthDetector", "npm.NpmDetector"}
)
"""Of their match only the first group, if there is one, is the secret."""

_PRIVATE_KEY = re.compile(
    r"(-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----).*?"
    r"(-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\Z)",
    re.DOTALL,
)
_MORE = re.compile(
    r"sk-(?:ant|proj|or|svcacct)-[\w-]{20,}|github_pat_\w{40,}|AIza[\w-]{35}\b"
    r"|hf_[A-Za-z0-9]{30,}\b|AKC[a-zA-Z0-9]{60,}\b"
)
_JWT = re.compile(r"\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{16,}")
_PLACEHOLDER = re.compile(
    r"[{<$%*\[(]|(?:your[-_]?)?(?:pass(?:word|wd)?|pwd|secret|token|x+)\Z", re.I
)

_TEXT_FIELDS = ("text", "words", "output", "before", "after", "proposed", "replaces", "command")


def redact(event: Event) -> Event:
    """Return `event` without secrets in prompts, commands, files and outputs."""
    changed: dict[str, Any] = {}
    for name in _TEXT_FIELDS:
        value = getattr(event, name, None)
        if isinstance(value, str) and (clean := redact_text(value)) != value:
            changed[name] = clean
    edits = getattr(event, "edits", ())
    clean_edits = tuple((redact_text(old), redact_text(new), each) for old, new, each in edits)
    if clean_edits != edits:
        changed["edits"] = clean_edits
    return replace(event, **changed) if changed else event


def redact_text(text: str) -> str:
    """Return `text` with every secret replaced by `REMOVED`."""
    if len(text) < 12:
        return text
    if "PRIVATE KEY" in text:
        text = _PRIVATE_KEY.sub(rf"\1\n{REMOVED}\n\2", text)
    if "eyJ" in text:
        text = _JWT.sub(REMOVED, text)
    text = _MORE.sub(REMOVED, text)
    for anchors, pattern, substitute in _patterns():
        if any(anchor in text for anchor in anchors):
            text = pattern.sub(substitute, text)
    return text


def _whole(_: re.Match[str]) -> str:
    return REMOVED


def _first_group(match: re.Match[str]) -> str:
    if not match.re.groups:
        return REMOVED
    secret = match.group(1)
    if _PLACEHOLDER.match(secret):
        return match.group()
    start, end = (position - match.start() for position in match.span(1))
    return f"{match.group()[:start]}{REMOVED}{match.group()[end:]}"


@cache
def _patterns() -> tuple[tuple[tuple[str, ...], re.Pattern[str], _Substitute], ...]:
    """The detectors' patterns; loaded late because detect-secrets is slow to import."""
    patterns: list[tuple[tuple[str, ...], re.Pattern[str], _Substitute]] = []
    for key, anchors in _DETECTORS.items():
        module, _, name = key.partition(".")
        detector = getattr(import_module(f"detect_secrets.plugins.{module}"), name)()
        substitute = _first_group if key in _MORE_THAN_THE_SECRET else _whole
        patterns += [(anchors, pattern, substitute) for pattern in detector.denylist]
    return tuple(patterns)
