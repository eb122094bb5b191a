"""Five hundred made-up secrets of many kinds, and ordinary text."""

import base64
import json
import random
import string
import sysconfig
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from cortex.transcripts.redaction import redact_text
from cortex.transcripts.results import cut

RANDOM = random.Random(11)
WORD = string.ascii_letters + string.digits
HEX = "0123456789abcdef"


def some(count: int, letters: str = WORD) -> str:
    return "".join(RANDOM.choices(letters, k=count))


def encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def token() -> str:
    parts = (encoded(json.dumps({"alg": "HS256", "n": some(4)})), encoded(json.dumps({"s": 1})))
    return ".".join([*(part.rstrip("=") for part in parts), some(43)])


FORMS: dict[str, Callable[[], str]] = {
    "aws": lambda: "AKIA" + some(16, string.ascii_uppercase),
    "github": lambda: "ghp_" + some(36),
    "github-fine": lambda: f"github_pat_{some(22)}_{some(59)}",
    "gitlab": lambda: "glpat-" + some(20),
    "npm": lambda: "npm_" + some(36),
    "pypi": lambda: "pypi-AgEIcHlwaS5vcmc" + some(120),
    "anthropic": lambda: f"sk-ant-api03-{some(93)}AA",
    "openai": lambda: f"sk-proj-{some(48)}",
    "openai-old": lambda: f"sk-{some(48)}",
    "stripe": lambda: f"sk_live_{some(24)}",
    "stripe-hook": lambda: f"whsec_{some(32)}",
    "slack": lambda: f"xoxb-{some(12, string.digits)}-{some(24)}",
    "google": lambda: "AIza" + some(35),
    "google-oauth": lambda: "GOCSPX-" + some(28),
    "hugging-face": lambda: "hf_" + some(34),
    "digitalocean": lambda: "dop_v1_" + some(64, HEX),
    "vault": lambda: "hvs." + some(60),
    "age": lambda: "AGE-SECRET-KEY-1" + some(58, string.ascii_uppercase + "23456789"),
    "azure": lambda: f"{some(3)}8Q~{some(34)}",
    "twilio": lambda: "SK" + some(32, HEX),
    "sendgrid": lambda: f"SG.{some(22)}.{some(43)}",
    "jwt": token,
    "docker": lambda: "dckr_pat_" + some(27),
    "linear": lambda: "lin_api_" + some(40),
    "databricks": lambda: "dapi" + some(32, HEX),
    "grafana": lambda: "glsa_" + some(41),
    "groq": lambda: "gsk_" + some(52),
    "bcrypt": lambda: "$2b$12$" + some(53),
}
CONTEXTS: dict[str, Callable[[str], str]] = {
    "dotenv": lambda value: f"DB_PASSWORD={value}",
    "export": lambda value: f'export CLIENT_SECRET="{value}"',
    "yaml": lambda value: f"    api_key: {value}",
    "json": lambda value: json.dumps({"accessToken": value, "a": 1}),
    "json-in-json": lambda value: json.dumps(json.dumps({"password": value})),
    "python": lambda value: f"connect(host, password='{value}')",
    "url": lambda value: f"postgres://app:{value}@db.internal:5432/prod",
    "url-user": lambda value: f"https://{value * 2}@github.com/a/b",
    "mysql": lambda value: f"mysql -uroot -p{value} prod",
    "curl": lambda value: f"curl -u admin:{value} https://x.example/",
    "sshpass": lambda value: f"sshpass -p {value} ssh h",
    "option": lambda value: f"deploy --token {value} --force",
    "bearer": lambda value: f"curl -H 'Authorization: Bearer {value}'",
    "basic": lambda value: f"Authorization: Basic {encoded('user:' + value)}",
    "netrc": lambda value: f"machine h.example login u password {value}",
    "npmrc": lambda value: f"//npm.example/:_authToken={value}",
    "sas": lambda value: f"https://x.example/c?sv=2022&sig={value}%3D&se=2026",
    "kubeconfig": lambda value: f"client-key-data: {encoded('-----BEGIN KEY-----' + value * 9)}",
    "cookie": lambda value: f"Cookie: theme=dark; session={value}",
    "connection": lambda value: f"Server=x;User Id=sa;Password={value};Encrypt=true",
}


def planted() -> list[tuple[str, str, str]]:
    cases = []
    for kind, make in FORMS.items():
        for template in ("{}", "log: token was {}, retrying", "x = '{}'", "A={}\\nB=1"):
            secret = make()
            cases += [(kind, secret, template.format(secret))] * 3
    for kind, place in CONTEXTS.items():
        for size in (20, 24, 32, 40):
            secret = some(size)
            text = place(secret)
            probe = secret if secret in text else text.split()[-1].strip("'\"")
            cases += [(kind, probe, text)] * 3
    return cases


def test_hardly_any_of_five_hundred_secrets_stays() -> None:
    cases = planted()
    assert len(cases) >= 500
    assert len({kind for kind, _, _ in cases}) >= 40
    left: Counter[str] = Counter()
    for number, (kind, secret, text) in enumerate(cases):
        shown = (text, f"# {text}\n# end", json.dumps({"x": f"a\n{text}\n"}))[number % 3]
        left[kind] += secret in redact_text(shown)
    assert sum(left.values()) <= len(cases) // 100, left


@pytest.mark.parametrize("kind", ["RSA PRIVATE KEY", "OPENSSH PRIVATE KEY", "PRIVATE KEY"])
@pytest.mark.parametrize("prefix", ["", "    ", "# ", "+"])
def test_keys_in_parts_and_in_other_forms(kind: str, prefix: str) -> None:
    lines = [some(64, WORD + "+/") for _ in range(26)]
    whole = [f"-----BEGIN {kind}-----", *lines, f"-----END {kind}-----"]
    for part in (whole, whole[:12], whole[12:], whole[5:20]):
        text = "\n".join(prefix + line for line in part)
        for shown in (text, json.dumps(text), encoded("\n".join(part))):
            clean = redact_text(f"a\n{shown}\nb")
            assert not any(line in clean for line in lines), shown


def test_a_secret_behind_invisible_characters() -> None:
    secret = "ghp_" + some(36)
    for gap in ("\u200b", "\u2060", "\\u200b"):
        assert secret[24:] not in redact_text(f"t = {secret[:20]}{gap}{secret[20:]}")


def test_what_is_cut_is_cleaned_first() -> None:
    secret = "ghp_" + some(36)
    for size in range(0, 60, 7):
        output = "x " * (1000 - size // 2) + secret + " y" * 3000
        assert secret[:12] not in cut(output, 2 * (2000 - size + 20))


@pytest.mark.parametrize("value", ["summer2024!", "Tr0ub4dor&3", "hunter22"])
def test_passwords_that_people_choose(value: str) -> None:
    for text in (f"password: {value}", f'password = "{value}"', f"DB_PASS={value}"):
        assert value not in redact_text(text), text


def test_ordinary_text_stays() -> None:
    root = Path(__file__).parents[3]
    library = Path(sysconfig.get_paths()["stdlib"])
    files = [*root.glob("docs/**/*.md"), *root.glob("cortex/cortex/**/*.py"), *library.glob("*.py")]
    lines = changed = 0
    for file in files:
        before = file.read_text("utf-8", "replace").splitlines()
        after = redact_text("\n".join(before)).splitlines()
        lines += len(before)
        changed += sum(line not in set(before) for line in after)
    assert lines > 50_000
    assert changed / lines < 0.001
