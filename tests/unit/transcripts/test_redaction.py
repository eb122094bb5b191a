import time

import pytest

from cortex.model.sessions import ActionKind, Called, Prompted, Returned, Speaker
from cortex.transcripts.redaction import REMOVED, redact, redact_text

KEY = "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nIBAAK\n-----END RSA PRIVATE KEY-----"


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("key AKIAIOSFODNN7EXAMPLE here", f"key {REMOVED} here"),
        ("t = 'ghp_" + "a1B2" * 9 + "'", f"t = '{REMOVED}'"),
        ("x = 'sk-ant-api03-" + "Ab1_" * 12 + "'", f"x = '{REMOVED}'"),
        ("url: postgres://bob:hunter22@db/x", f"url: postgres://bob:{REMOVED}@db/x"),
        ('aws_secret_key = "' + "a/B+" * 10 + '"', f'aws_secret_key = "{REMOVED}"'),
        ("//r.example/:_authToken=npm_abc123", f"//r.example/:_authToken={REMOVED}"),
        (f"a\n{KEY}\nb", "a\n" + KEY.replace("MIIEow\nIBAAK", REMOVED) + "\nb"),
    ],
)  # fmt: skip
def test_secrets_go_and_what_surrounds_them_stays(text: str, clean: str) -> None:
    assert redact_text(text) == clean


@pytest.mark.parametrize(
    "code",
    [
        "url = f'postgres://{user}:{password}@{host}/x'",
        "DATABASE_URL=postgres://user:${DB_PASSWORD}@db",
        "sha256 = '" + "0123456789abcdef" * 4 + "'",
        "password = get_password(); token = os.environ['TOKEN']",
        "class APConfigurationManager: pass",
        "secret_key = 'changeme'",
        "eyJ is how a token begins",
        "\n".join("0123456789abcdef" * 4 for _ in range(4)),
        "commit 3f2a91c04b3f2a91c04b3f2a91c04b3f2a91c04b",
    ],
)
def test_code_stays_intact(code: str) -> None:
    assert redact_text(code) == code


def test_every_part_of_an_event_is_cleaned_and_ids_stay() -> None:
    token = "ghp_" + "a1B2" * 9
    prompt = Prompted(token, "", f"use {token}", Speaker.HUMAN, "/w")
    call = Called(
        "u", "", "c", "Edit", ActionKind.WRITE, path="/w/a", proposed=token, replaces=token,
        edits=((token, token, False),),
    )  # fmt: skip
    answer = Returned("u", "", "c", ok=True, output=token, before=token, after=token, words=token)
    assert redact(prompt) == Prompted(token, "", f"use {REMOVED}", Speaker.HUMAN, "/w")
    cleaned = redact(call)
    assert isinstance(cleaned, Called)
    assert (cleaned.proposed, cleaned.replaces) == (REMOVED, REMOVED)
    assert cleaned.edits == ((REMOVED, REMOVED, False),)
    assert token not in repr(redact(answer))


def test_large_text_is_cleaned_in_reasonable_time() -> None:
    text = "def f(x: int) -> str:\n    return str(x)  # https://example.org/a\n" * 20_000
    redact_text("warm up: the patterns are compiled")
    start = time.process_time()
    assert redact_text(text) == text
    assert time.process_time() - start < 3.0
