import os
from pathlib import Path

from cortex_replay.copying import copy_tree


def test_a_copy_is_alike_and_of_its_own(tmp_path: Path) -> None:
    source, dest = tmp_path / "a", tmp_path / "b"
    (source / "folder").mkdir(parents=True)
    for number in range(3):
        (source / "folder" / f"f{number}").write_text("text" * 5000)
    (source / "run.sh").write_text("#!/bin/sh\n")
    (source / "run.sh").chmod(0o555)
    (source / "link").symlink_to("missing")
    os.utime(source / "run.sh", (1_704_067_200, 1_704_067_200))
    copy_tree(source, dest)
    assert (dest / "run.sh").stat().st_mode & 0o777 == 0o555
    assert (dest / "run.sh").stat().st_mtime == 1_704_067_200
    assert (dest / "link").readlink() == Path("missing")
    (dest / "folder" / "f1").write_text("changed")
    assert (source / "folder" / "f1").read_text() == "text" * 5000
    assert (dest / "folder" / "f1").stat().st_nlink == 1
