import pytest

from cortex_replay.mentions import mentions_outside


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd", "~/.ssh/id_rsa", "~root/x", "../other/x", "./../x", "src/../../x", "..",
        "src/./../../x", "C:\\Users\\x", "C:/x", "\\\\server\\share", "..\\x", "src\\..\\..\\x",
        "file:///etc/passwd", "FILE:/etc/passwd", "$HOME/.ssh/id_rsa", "${HOME}/x",
        "%USERPROFILE%\\x", "%2Fetc%2Fpasswd", "%2e%2e/x", "//etc/passwd",
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "prompt", ["see @{}", "@{} please", 'read @"{}" now', "(@{})", "look:@{}, then", "x\n@{}\ny"]
)
def test_files_outside(prompt: str, path: str) -> None:
    assert mentions_outside(prompt.format(path))


@pytest.mark.parametrize(
    "prompt",
    [
        "see @src/app.py and @docs/a b.md",
        "mail sam@shop.example/x",
        "use @types/node and @angular/core",
        'decorate it with @property, @app.get("/x")',
        "ping @sam: 3/4 done",
        "@README.md#L3-L9",
        "costs 3 @ 4.50",
        "@src/a..b.py and @.github/workflows/ci.yml",
    ],
)
def test_files_inside_and_other_signs(prompt: str) -> None:
    assert not mentions_outside(prompt)
