"""A repository that was entered by a link is the repository behind it."""

from pathlib import Path

from tests.growing import SAMPLE
from tests.integration.commands.conftest import Shell

from cortex.commands.real_paths import with_real_paths
from cortex.model.sessions import ActionKind, Called, Prompted, Speaker


def test_sessions_in_a_linked_folder_belong_to_its_repository(empty: Shell, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(empty.cwd.parent)
    text = SAMPLE.read_text("utf-8")
    cwd = text.split('"cwd":"', 1)[1].split('"', 1)[0]
    transcripts = tmp_path / "transcripts"
    transcripts.mkdir()
    (transcripts / "s.jsonl").write_text(
        text.replace(cwd, str(link / empty.cwd.name)), encoding="utf-8"
    )
    ingested = empty.json("ingest", str(transcripts))["corrections"]
    assert len(ingested) == 2
    assert empty.json("corrections")["corrections"] == ingested
    assert {correction["cwd"] for correction in ingested} == {str(empty.cwd.resolve())}


def test_a_file_that_is_a_link_keeps_its_name(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "AGENTS.md").write_text("A.\n", "utf-8")
    (tmp_path / "real" / "CLAUDE.md").symlink_to("AGENTS.md")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    real, link = str(tmp_path.resolve() / "real"), str(tmp_path / "link")
    call = Called("u", "t", "c", "Write", ActionKind.WRITE, path=f"{link}/CLAUDE.md")
    prompt = Prompted("u", "t", "text", Speaker.HUMAN, link)
    resolved = with_real_paths(call)
    assert isinstance(resolved, Called)
    assert resolved.path == f"{real}/CLAUDE.md"
    in_folder = with_real_paths(prompt)
    assert isinstance(in_folder, Prompted)
    assert in_folder.cwd == real


def test_folders_that_are_gone_stay_as_they_are() -> None:
    call = Called("u", "t", "c", "Write", ActionKind.WRITE, path="/gone/folder/a.py")
    assert with_real_paths(call) == call
