import pytest

from cortex_replay.mentions import mentions_link_outside, mentions_outside


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd", "~/.ssh/id_rsa", "~root/x", "../other/x", "./../x", "src/../../x", "..",
        "src/./../../x", "C:\\Users\\x", "C:/x", "\\\\server\\share", "..\\x", "src\\..\\..\\x",
        "file:///etc/passwd", "FILE:/etc/passwd", "$HOME/.ssh/id_rsa", "${HOME}/x",
        "%USERPROFILE%\\x", "%2Fetc%2Fpasswd", "%2e%2e/x", "//etc/passwd", "%252Fetc%252Fpasswd",
        "src%2F..%2F..%2Fx", "src%252F%252e%252e%252F%252e%252e%252Fx", "src%25252F%25252e%25252e",
        "@/etc/passwd", "\u200b/etc/passwd", "\uff0fetc\uff0fpasswd", "\uff5e/x", "file:/etc/x",
        "file://localhost/etc/x", "\\\\?\\C:\\x", "/proc/self/environ", "~+/x", "src/.\u200b./../x",
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


LINKS = {
    "link": "/etc", "docs/up": "../../other", "a": "b", "b/c": "/etc", "in": "src",
    "Big Link": "/x",
    "loop": "loop", "src/back": "../..", "Straße": "/etc", "self": ".", "climb": "src/../..",
}  # fmt: skip


@pytest.mark.parametrize(
    "prompt",
    [
        "see @link/secret.txt", "see @link", "@./link/x", "@LINK/x", '@"Big Link/x"', "@docs/up/x",
        "@a/c/passwd", "@b/c", "@in/back/x", "@loop/x", "@in/../link/x", "@%6Cink/x", "@STRASSE/x",
        "@self/self/link", "@climb/x", "@docs%2Fup%2Fx", "look (@link)", "@link#L3",
    ],
)  # fmt: skip
def test_files_behind_links_that_lead_out(prompt: str) -> None:
    assert mentions_link_outside(prompt, LINKS)


@pytest.mark.parametrize(
    "prompt", ["@in/app.py", "@a/x", "@docs/x", "link/x", "@src/link", "@self/in/x"]
)
def test_files_behind_links_that_stay_inside(prompt: str) -> None:
    assert not mentions_link_outside(prompt, LINKS)
