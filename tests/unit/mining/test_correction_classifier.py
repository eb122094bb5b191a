import pytest

from cortex.mining.correction_classifier import CERTAIN_ENOUGH, confidence, own_words
from cortex.mining.turn_context import Channel, TurnContext

WROTE = TurnContext(wrote=True)
ASKED = TurnContext(wrote=True, asked=True)
REJECTED = TurnContext(Channel.REJECTION, wrote=True)
STOPPED = TurnContext(Channel.INTERRUPTION, ran=True)

CORRECTS = [
    ("that should be a frozen dataclass, not a dict", WROTE),
    ("we never mock the database in this repo, use the sqlite fixture", WROTE),
    ("why did you add a second client? there already is one in lib/http", WROTE),
    ("couldn't that be one function instead of three?", REJECTED),
    ("uv add, not pip", REJECTED),
    ("names are snake_case here", REJECTED),
    ("don't touch the migrations", STOPPED),
    ("bitte keine deutschen Kommentare, wir schreiben alles auf Englisch", WROTE),
    ("il faut toujours passer par le dépôt, pas de SQL dans les vues", WROTE),
    ("los tests van siempre primero, no después", WROTE),
    ("комментарии не нужны, у нас так не принято", WROTE),
    ("以后不要直接改生成的文件", WROTE),
    ("生成ファイルは直接編集しないでください", WROTE),
]
OTHER = [
    ("thanks, looks great", WROTE),
    ("now do the same for invoices", WROTE),
    ("what does the second argument mean?", WROTE),
    ("add a --json flag", WROTE),
    ("no, the second one is fine", ASKED),
    ("1. yes\n2. no\n3. the first", ASKED),
    ("FAILED tests/test_a.py::test_b - AssertionError: assert 1 == 2\n1 failed, 3 passed", WROTE),
    ("sorry, my mistake, go on", STOPPED),
    ("hold this for a second, I'll look at the log", REJECTED),
    ("er schrieb: „nie wieder ohne Test“. was antworte ich?", WROTE),
    ("gracias, perfecto", WROTE),
    ("继续", WROTE),
    ("ありがとう", WROTE),
    ("", WROTE),
    ("<system-reminder>never do that, always use uv instead</system-reminder>", WROTE),
]


@pytest.mark.parametrize(("words", "situation"), CORRECTS)
def test_corrections(words: str, situation: TurnContext) -> None:
    assert confidence(words, situation) >= CERTAIN_ENOUGH


@pytest.mark.parametrize(("words", "situation"), OTHER)
def test_everything_else(words: str, situation: TurnContext) -> None:
    assert confidence(words, situation) < CERTAIN_ENOUGH


def test_what_a_log_or_code_says_is_not_said_by_the_developer() -> None:
    log = 'Traceback (most recent call last):\n  File "a.py", line 1, in f\nValueError: never'
    assert own_words(f"{log}\n\nlet it raise instead") == "let it raise instead"
    assert own_words("look:\n```\nno, never do that\n```") == "look:"


def test_only_the_beginning_of_a_long_message_is_judged() -> None:
    wish = "Add a page that lists the invoices of a customer. " * 10
    assert "never" not in own_words(f"{wish} never use requests")
