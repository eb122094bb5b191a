"""Secrets that show by their form: tokens with a prefix, keys in PEM, tokens in base64.

Together with the patterns of detect-secrets, whose guesses by entropy or by the name of a variable
are left out: they would damage code.
"""

import re
from base64 import b64decode
from collections.abc import Callable
from functools import cache
from importlib import import_module

REMOVED = "[secret removed]"

Substitute = Callable[[re.Match[str]], str]

_DETECTORS = {
    "aws.AWSKeyDetector": ("aws", "AWS", "Aws"),
    "azure_storage_key.AzureStorageKeyDetector": ("AccountKey=",),
    "discord.DiscordBotTokenDetector": (".",),
    "gitlab_token.GitLabTokenDetector": ("gl", "GR1348941"),
    "mailchimp.MailchimpDetector": ("-us",),
    "openai.OpenAIDetector": ("T3BlbkFJ",),
    "pypi_token.PypiTokenDetector": ("pypi-AgE",),
    "sendgrid.SendGridDetector": ("SG.",),
    "slack.SlackDetector": ("xox", "XOX", "hooks.slack.com"),
    "square_oauth.SquareOAuthDetector": ("sq0csp-",),
    "telegram_token.TelegramBotTokenDetector": (":",),
    "twilio.TwilioKeyDetector": ("AC", "SK"),
}
"""Detector -> texts of which one stands in every match: looking for these first is much faster."""

_MORE_THAN_THE_SECRET = frozenset({"aws.AWSKeyDetector"})
"""Of their match only the first group is the secret."""

_FORMS = (
    r"sk-(?:(?<![A-Za-z0-9+/]sk-)|(?<=\\[nrt]sk-))[A-Za-z0-9][\w-]{19,}",
    r"gh[pousr]_\w{30,}", r"github_pat_\w{40,}", r"npm_[A-Za-z0-9]{30,}", r"AIza[\w-]{35}",
    r"GOCSPX-[\w-]{20,}", r"ya29\.[\w-]{20,}", r"1//0[\w-]{30,}", r"hf_[A-Za-z0-9]{30,}",
    r"AKC[a-zA-Z0-9]{60,}", r"AKIA[A-Z0-9]{16}(?<![A-Z0-9]{21})(?![A-Z0-9])",
    r"ASIA[A-Z0-9]{16}(?<![A-Z0-9]{21})(?![A-Z0-9])",
    r"A[BC][IC]A[A-Z0-9]{16}(?<![A-Z0-9]{21})(?![A-Z0-9])",
    r"sk_(?:live|test)_[A-Za-z0-9]{16,}", r"rk_(?:live|test)_[A-Za-z0-9]{16,}",
    r"whsec_[A-Za-z0-9+/=]{24,}", r"xapp-\d-[\w-]{20,}", r"xox[a-z]-[\w-]{20,}",
    r"gl(?:pat|ptt|dt|rt|cbt|ft|soat|imt|agent)-[\w-]{20,}", r"AGE-SECRET-KEY-1[0-9A-Z]{50,}",
    r"do[opr]_v1_[0-9a-f]{40,}", r"hv[sbr]\.[\w-]{20,}", r"shp(?:at|ss|ca|pa)_[0-9a-fA-F]{32}",
    r"lin_api_[A-Za-z0-9]{30,}", r"ntn_[A-Za-z0-9]{30,}", r"dapi[0-9a-f]{32}",
    r"dp\.(?:pt|st|ct)\.\w{30,}", r"figd_[\w-]{30,}", r"gl(?:c|sa)_[\w+/=]{30,}",
    r"HRKU-[\w-]{30,}", r"sntry[su]_[\w+/=-]{30,}", r"sbp_[0-9a-f]{40}",
    r"pscale_(?:tkn|pw|oauth)_[\w-]{30,}", r"PMAK-[0-9a-f-]{40,}", r"pul-[0-9a-f]{40}",
    r"rubygems_[0-9a-f]{40,}", r"dckr_(?:pat|oat)_[\w-]{20,}", r"ATATT3[\w=-]{60,}",
    r"ATBB[A-Za-z0-9]{28,}", r"NRAK-[A-Z0-9]{27}", r"key-[0-9a-f]{32}(?![\w-])",
    r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}", r"r8_[A-Za-z0-9]{30,}", r"gsk_[A-Za-z0-9]{40,}",
    r"pplx-[A-Za-z0-9]{40,}", r"xai-[A-Za-z0-9]{60,}", r"fm[12][ar]?_[\w+/=-]{60,}",
    r"nfp_[A-Za-z0-9]{30,}", r"rnd_[A-Za-z0-9]{28,}", r"CCIPAT_\w{20,}",
    r"EAAA(?<![A-Za-z0-9+/]EAAA)[\w-]{56,}", r"lsv2_(?:pt|sk)_\w{30,}", r"tvly-[\w-]{30,}",
    r"AC[0-9a-f]{32}(?![\w+/])", r"SK[0-9a-f]{32}(?![\w+/])",
    r"\$2[aby]\$\d\d\$[./\w]{50,}",
    r"\$[56y]\$[./\w$=]{30,}",
    r"eyJ[\w-]{8,}\.eyJ[\w-]{4,}\.[\w-]{16,}",
)  # fmt: skip
_PREFIXED = tuple(map(re.compile, _FORMS))
"""Each begins with letters of its own: Python then searches for these, a hundred times faster."""

_INNER = (
    ("Q~", re.compile(r"(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,40}")),
    (".atlasv1.", re.compile(r"[\w-]{14}\.atlasv1\.[\w-]{60,}")),
)
"""Forms with their letters in the middle."""

_PRIVATE_KEY = re.compile(
    r"(-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----).*?"
    r"(-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\Z)",
    re.DOTALL,
)
_KEY_LINES = re.compile(
    r"(?:^[ \t#>*/|+-]{0,8}[A-Za-z0-9+/]{64}[ \t]*\r?$\n?){2,}"
    r"(?:^[ \t#>*/|+-]{0,8}[A-Za-z0-9+/]{1,63}={0,2}[ \t]*\r?$)?",
    re.MULTILINE,
)
"""Lines of a key without its first or last line, as when a file is read in parts."""
_KEY_ESCAPED = re.compile(
    r"(?:[ \t#>*/|+-]{0,8}[A-Za-z0-9+/]{64}\\n){2,}"
    r"(?:[ \t#>*/|+-]{0,8}[A-Za-z0-9+/]{1,63}={0,2})?"
)
_BASE64 = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/]{32,}={0,2}")
_PEM_IN_BASE64 = "LS0tLS1CRUdJTi"
_ZERO_WIDTH = re.compile("[\u200b-\u200d\u2060\ufeff\u00ad]|\\\\u(?:200[b-d]|2060|feff|00ad)", re.I)


def without_known(text: str) -> str:
    """Return `text` with every secret of a known form replaced by `REMOVED`."""
    if (not text.isascii() or "\\u" in text) and _ZERO_WIDTH.search(text):
        joined = _ZERO_WIDTH.sub("", text)
        clean = _without_known(joined)
        if clean != joined:
            return clean
    return _without_known(text)


def _without_known(text: str) -> str:
    if "PRIVATE KEY" in text:
        text = _PRIVATE_KEY.sub(rf"\1\n{REMOVED}\n\2", text)
    if _BASE64.search(text):
        text = _KEY_LINES.sub(_key_lines, text)
        text = _KEY_ESCAPED.sub(_key_lines, text)
        text = _BASE64.sub(_encoded, text)
    for pattern in _PREFIXED:
        text = pattern.sub(REMOVED, text)
    for anchor, pattern in _INNER:
        if anchor in text:
            text = pattern.sub(REMOVED, text)
    for anchors, pattern, substitute in _patterns():
        if any(anchor in text for anchor in anchors):
            text = pattern.sub(substitute, text)
    return text


def _key_lines(match: re.Match[str]) -> str:
    """Return lines of a key removed; lists of digests, which have letters of one size, stay."""
    lines = match[0].replace("\\n", "\n").strip()
    if lines.lower() == lines or lines.upper() == lines:
        return match[0]
    return REMOVED + ("\n" if match[0].endswith("\n") else "")


def _encoded(match: re.Match[str]) -> str:
    """Return `REMOVED` for base64 of a secret, the text itself for any other."""
    text = match[0]
    if _PEM_IN_BASE64 in text:
        return REMOVED
    for start in range(4):  # A sign of a diff may stand in front.
        body = text[start:4096].rstrip("=")
        decoded = b64decode(body[: len(body) // 4 * 4])
        if decoded.isascii() and _has_prefix(decoded.decode("ascii")):
            return text[:start] + REMOVED
    return text


def _has_prefix(text: str) -> bool:
    return any(pattern.search(text) for pattern in _PREFIXED)


def _whole(_: re.Match[str]) -> str:
    return REMOVED


def first_group(match: re.Match[str]) -> str:
    """Return the match with its first group removed."""
    start, end = (position - match.start() for position in match.span(1))
    return f"{match.group()[:start]}{REMOVED}{match.group()[end:]}"


@cache
def _patterns() -> tuple[tuple[tuple[str, ...], re.Pattern[str], Substitute], ...]:
    """The detectors' patterns; loaded late because detect-secrets is slow to import."""
    patterns: list[tuple[tuple[str, ...], re.Pattern[str], Substitute]] = []
    for key, anchors in _DETECTORS.items():
        module, _, name = key.partition(".")
        detector = getattr(import_module(f"detect_secrets.plugins.{module}"), name)()
        for pattern in detector.denylist:
            inner = key in _MORE_THAN_THE_SECRET and pattern.groups
            patterns.append((anchors, pattern, first_group if inner else _whole))
    return tuple(patterns)
