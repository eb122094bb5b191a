from cortex.artifacts import sections


def headings(text: str) -> list[str]:
    return [piece.heading for piece in sections.split(text).pieces]


def test_only_second_level_headings_cut() -> None:
    text = "# Title\n\nIntro\n\n## One\na\n### Detail\nb\n   ## Two ##\nc\n    ## code\n##no\n"
    assert headings(text) == ["", "One", "Two"]


def test_headings_in_fences_do_not_cut() -> None:
    text = "## A\n````md\n## x\n```\n## y\n````\n~~~\n## z\n```\n## w\n~~~\n## B\n"
    assert headings(text) == ["A", "B"]


def test_an_unclosed_fence_runs_to_the_end() -> None:
    assert headings("## A\n```\n## B\n") == ["A"]


def test_repeated_headings_are_numbered() -> None:
    assert headings("## A\n1\n## A\n2\n## A (2)\n3\n") == ["A", "A (2)", "A (2) (2)"]


def test_a_heading_without_words_does_not_cut() -> None:
    assert headings("## A\n##\n##   \nx\n") == ["A"]


def test_blank_lines_between_sections_belong_to_neither_text() -> None:
    document = sections.split("Intro\n\n\n## A\r\nx\r\n\r\n## B\ny")
    assert [piece.text for piece in document.pieces] == ["Intro\n", "## A\r\nx\r\n", "## B\ny"]
    assert [piece.lead for piece in document.pieces] == ["", "\n\n", "\r\n"]


def test_a_byte_order_mark_stays_with_the_file() -> None:
    document = sections.split("\ufeff## A\nx\n\n")
    assert (document.bom, document.pieces[0].text, document.tail) == ("\ufeff", "## A\nx\n", "\n")


def test_blank_text_has_no_sections() -> None:
    assert sections.split("\n \n").pieces == ()
