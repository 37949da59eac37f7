# SPDX-License-Identifier: Apache-2.0
"""The launcher: first run, second run, two at once, and machines that lack something."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.slow  # environments are made
MAIN = """
import os, sys
print(sys.argv[1:], os.getcwd(), sys.prefix)
"""


@pytest.fixture
def clone(tmp_path):
    """A clone with a tiny package and no requirements, so that no network is needed."""
    return make_clone(tmp_path)


@pytest.fixture(scope="module")
def ready(tmp_path_factory):
    """A clone whose environment is made, and what its first run said."""
    root = make_clone(tmp_path_factory.mktemp("ready"))
    return root, run(root / "foliot", "bench", "a b", cwd=root.parent)


def make_clone(where):
    root = where / "a clone"
    (root / "lab" / "foliot").mkdir(parents=True)
    shutil.copy(ROOT / "foliot", root / "foliot")
    (root / "lab" / "requirements.txt").write_text("")
    (root / "lab" / "foliot" / "__main__.py").write_text(MAIN)
    (root / "lab" / "foliot" / "target").mkdir()
    shutil.copy(ROOT / "lab/foliot/target/moved.py", root / "lab/foliot/target")
    return root


def run(command, *words, cwd="/", **environment):
    return subprocess.run(
        [str(command), *words],
        capture_output=True, text=True, check=False, timeout=120, cwd=cwd,
        env={"PATH": "/usr/local/bin:/usr/bin:/bin", **environment},
    )  # fmt: skip


def test_first_run_says_so_and_the_second_does_not(ready):
    root, first = ready
    assert first.returncode == 0, first.stderr
    assert first.stdout == f"['bench', 'a b'] {root.parent} {root}/.venv\n"
    assert "setting up the Python environment (once)" in first.stderr
    second = run(root / "foliot")
    assert second.stderr == ""
    assert second.returncode == 0


def test_through_symlinks(ready, tmp_path):
    (tmp_path / "link").symlink_to(ready[0] / "foliot")
    (tmp_path / "second").symlink_to("link")
    result = run("./second", cwd=tmp_path)
    assert f"{ready[0]}/.venv" in result.stdout


def test_made_again_when_requirements_change(ready):
    root, _ = ready
    (root / "lab" / "requirements.txt").write_text("# another\n")
    assert "setting up" in run(root / "foliot").stderr
    assert run(root / "foliot").stderr == ""


def test_files_in_the_working_directory_do_not_shadow_modules(ready, tmp_path):
    (tmp_path / "os.py").write_text("raise SystemExit('shadowed')\n")
    (tmp_path / "foliot").mkdir()
    assert run(ready[0] / "foliot", cwd=tmp_path).returncode == 0


def test_no_network(ready):
    root, _ = ready
    (root / "lab" / "requirements.txt").write_text("rich==15.0.0 --hash=sha256:" + "0" * 64 + "\n")
    offline = {"PIP_INDEX_URL": "http://127.0.0.1:1/", "PIP_NO_CACHE_DIR": "1"}
    result = run(root / "foliot", **offline)
    assert result.returncode == 1
    assert "foliot: no network: the Python packages" in result.stderr
    assert "Traceback" not in result.stderr
    (root / "lab" / "requirements.txt").write_text("")
    assert run(root / "foliot").returncode == 0


def test_an_interrupted_first_run_is_made_good(ready):
    root, _ = ready
    (root / ".venv" / "foliot.stamp").unlink()
    shutil.rmtree(root / ".venv" / "bin")
    assert run(root / "foliot").returncode == 0


def test_two_first_runs_at_once(clone):
    children = [
        subprocess.Popen(
            [clone / "foliot"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    said = [child.communicate(timeout=120) for child in children]
    assert [child.returncode for child in children] == [0, 0], said
    assert sum("setting up" in err for _, err in said) == 1
    assert all(f"{clone}/.venv" in out for out, _ in said)


def fake_python(clone, tmp_path, modules):
    """A PATH with a python3 that lacks `modules`, and the launcher knowing no other."""
    text = (clone / "foliot").read_text()
    (clone / "foliot").write_text(text.replace("/usr/bin/python3 python3.13 ", "python3.13 "))
    here = tmp_path / "bin"
    here.mkdir()
    for tool in ("sh", "dirname", "readlink", "sha256sum", "cat", "flock", "id", "tail", "grep",
                 "env"):  # fmt: skip
        (here / tool).symlink_to(shutil.which(tool) or "")
    python = here / "python3"
    python.write_text(f"""#!/bin/sh
case "$2" in *"{modules}"*) [ -e {here}/installed ] || exit 1 ;; esac
exec /usr/bin/python3 "$@"
""")
    python.chmod(0o755)
    return here


def test_python3_venv_is_missing_and_may_not_be_installed(clone, tmp_path):
    here = fake_python(clone, tmp_path, "ensurepip")
    result = run(clone / "foliot", PATH=str(here))
    assert result.returncode == 1
    assert "python3-venv is missing: install it (Debian: sudo apt-get install" in result.stderr


def test_python_is_too_old(clone, tmp_path):
    here = fake_python(clone, tmp_path, "version_info")
    result = run(clone / "foliot", PATH=str(here))
    assert result.returncode == 1
    assert "Python 3.11 is missing" in result.stderr


def test_python3_venv_is_installed_where_that_may_be(clone, tmp_path):
    here = fake_python(clone, tmp_path, "ensurepip")
    (here / "id").unlink()
    (here / "id").write_text("#!/bin/sh\necho 0\n")
    (here / "apt-get").write_text(f"""#!/bin/sh
case "$*" in *update*) >{here}/lists ;; *) [ -e {here}/lists ] && >{here}/installed ;; esac
""")
    for tool in ("id", "apt-get"):
        (here / tool).chmod(0o755)
    (here / "sed").symlink_to("/bin/sed")
    (here / "tee").symlink_to("/usr/bin/tee")
    result = run(clone / "foliot", PATH=str(here))
    assert result.returncode == 0, result.stderr
    assert "python3-venv is missing, installing it: apt-get install" in result.stderr


def test_where_nothing_can_be_written(clone):
    (clone / ".venv.lock").mkdir()
    result = run(clone / "foliot")
    assert result.returncode == 1
    first, advice = result.stderr.splitlines()
    assert first == f"foliot: can't write to {clone}"
    assert "copy it" in advice


def test_a_copied_and_a_moved_checkout_have_an_environment_of_their_own(ready, tmp_path):
    root, _ = ready
    copy = tmp_path / "copy"
    shutil.copytree(root, copy, symlinks=True)
    first = run(copy / "foliot")
    assert first.returncode == 0, first.stderr
    assert first.stderr == (
        "foliot: this checkout was copied or moved: .venv is of this place now\n"
    )
    assert f"{copy}/.venv" in first.stdout
    assert f"{copy}/.venv/bin/python" in (copy / ".venv" / "bin" / "pip").read_text()
    assert str(root) not in (copy / ".venv" / "pyvenv.cfg").read_text()
    assert run(copy / "foliot").stderr == ""
    moved = copy.rename(tmp_path / "moved")
    assert "copied or moved" in run(moved / "foliot").stderr
    assert run(root / "foliot").stderr == ""


def test_an_environment_that_lacks_a_package_is_made_whole_and_the_command_goes_on(ready):
    root, _ = ready
    main = root / "lab" / "foliot" / "__main__.py"
    main.write_text(
        "from foliot import whole\nwith whole.environment():\n    import nothing_like_it\n"
    )
    shutil.copy(ROOT / "lab" / "foliot" / "whole.py", root / "lab" / "foliot")
    result = run(root / "foliot", "bench")
    assert result.returncode == 1
    assert result.stderr.count("setting up the Python environment") == 1
    assert "nothing_like_it is missing" in result.stderr
    assert "Traceback" not in result.stderr
    (root / "lab" / "foliot" / "half.py").write_text("import foliot.other\n")
    main.write_text("from foliot import whole\nwith whole.environment():\n    import foliot.half\n")
    result = run(root / "foliot", "bench")
    assert result.stderr == (
        "foliot: foliot.other is missing: this checkout is not whole (git status says more)\n"
    )
    main.write_text(MAIN)
    assert run(root / "foliot").returncode == 0


@pytest.mark.parametrize("tool", ["sha256sum", "flock", "readlink", "dirname", "cat"])
def test_a_tool_of_the_shells_that_is_missing_is_named(clone, tmp_path, tool):
    here = fake_python(clone, tmp_path, "nothing")
    (here / tool).unlink()
    result = run(clone / "foliot", PATH=str(here))
    assert result.returncode == 1
    assert result.stderr == (
        f"foliot: {tool} is missing: install it (Debian: the packages coreutils and util-linux)\n"
    )


def test_a_checkout_without_its_requirements_says_so(clone):
    (clone / "lab" / "requirements.txt").unlink()
    result = run(clone / "foliot")
    assert result.returncode == 1
    assert result.stderr == "foliot: lab/requirements.txt is missing: this checkout is not whole\n"
