# SPDX-License-Identifier: Apache-2.0
"""Installing what is missing: said first, done where it may be done, else the command."""

from __future__ import annotations

import os
import stat
import threading

import pytest

from foliot.model.errors import FoliotError
from foliot.show.terminal import Progress
from foliot.target import paths, provision

# An apt-get that knows of one package once its lists were read.
_APT = """#!/bin/sh
echo "$@" >>"$HERE/apt.log"
case "$*" in
*update*) touch "$HERE/lists"; {update} ;;
*) [ -e "$HERE/lists" ] || {{ echo 'E: Unable to locate package frob'; exit 100; }}
   echo 'pmstatus:frob:50.0:Unpacking frob'
   printf '#!/bin/sh\\n' >"$HERE/frob"; chmod +x "$HERE/frob" ;;
esac
"""


@pytest.fixture
def machine(tmp_path, monkeypatch, tree):
    """A machine with an apt-get of its own and nothing else but the shell's tools."""
    here = tmp_path / "bin"
    here.mkdir()
    for tool in ("sh", "touch", "chmod"):
        (here / tool).symlink_to(f"/bin/{tool}")
    monkeypatch.setenv("PATH", str(here))
    monkeypatch.setenv("HERE", str(here))
    monkeypatch.setattr(os, "geteuid", lambda: 0)

    def apt(update: str = "true"):
        path = here / "apt-get"
        path.write_text(_APT.format(update=update))
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return here

    return apt


def test_nothing_is_done_where_all_is_there(machine, capsys):
    here = machine()
    provision.install({"shell": "sh"}, Progress())
    assert capsys.readouterr().err == ""
    assert not (here / "apt.log").exists()


def test_lists_are_read_where_they_are_empty(machine, capsys):
    here = machine()
    provision.install({"frob": "frob"}, Progress())
    said = capsys.readouterr().err
    assert said.startswith("Missing: frob. Installing with apt-get install --no-install-recommends")
    calls = (here / "apt.log").read_text().splitlines()
    assert [("update" in call) for call in calls] == [False, True, False]
    assert all("--no-install-recommends" in call for call in calls if "update" not in call)


def test_what_changes_the_machine_is_said_even_when_quiet(machine, capsys):
    machine()
    provision.install({"frob": "frob"}, Progress(quiet=True))
    assert capsys.readouterr().err.startswith("Missing: frob. Installing with")


def test_a_package_that_does_not_install(machine):
    machine("echo 'dpkg: error processing package frob'; echo 'E: Sub-process failed'; exit 100")
    with pytest.raises(FoliotError, match="apt-get failed") as failure:
        provision.install({"frob": "frob"}, Progress(quiet=True))
    assert failure.value.lines == ("dpkg: error processing package frob", "E: Sub-process failed")


def test_no_network(machine):
    machine("echo 'Err:1 Temporary failure resolving deb.debian.org'; exit 100")
    with pytest.raises(FoliotError, match="no network: Debian's packages can't be fetched"):
        provision.install({"frob": "frob"}, Progress(quiet=True))


def test_what_is_half_installed_is_waited_for(machine):
    """Its command is there as soon as it is unpacked, before what it calls itself."""
    here = machine()
    with paths.locked(paths.BUILD / "apt"):
        second = threading.Thread(target=provision.install,
                                  args=({"shell": "sh"}, Progress(quiet=True)))  # fmt: skip
        second.start()
        second.join(0.2)
        assert second.is_alive()
    second.join(60)
    assert not second.is_alive()
    assert not (here / "apt.log").exists()


BUSY = "echo 'E: Could not get lock /var/lib/apt/lists/lock'; exit 100"


def test_another_apt_is_waited_for(machine, monkeypatch):
    slept = []
    here = machine(f'[ -e "$HERE/done" ] || {{ {BUSY}; }}')

    def sleep(seconds):
        slept.append(seconds)
        if len(slept) == 3:
            (here / "done").touch()

    monkeypatch.setattr(provision.time, "sleep", sleep)
    provision.install({"frob": "frob"}, Progress(quiet=True))
    assert len(slept) == 3


def test_another_apt_that_does_not_end(machine, monkeypatch):
    monkeypatch.setattr(provision, "_BUSY_S", 3 * provision._BUSY_STEP_S)
    monkeypatch.setattr(provision.time, "sleep", lambda _: None)
    machine(BUSY)
    with pytest.raises(FoliotError, match="another apt-get is running"):
        provision.install({"frob": "frob"}, Progress(quiet=True))


def test_neither_root_nor_sudo(machine, monkeypatch):
    machine()
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(FoliotError) as missing:
        provision.install({"frob": "frob", "shell": "sh"}, Progress(quiet=True))
    assert missing.value.message == "missing: frob"
    assert missing.value.advice == (
        "install with: sudo apt-get install --no-install-recommends frob"
    )


def test_sudo_without_a_password(machine, monkeypatch, capsys):
    here = machine()
    sudo = here / "sudo"
    sudo.write_text('#!/bin/sh\n[ "$1" = -n ] && shift\n[ "$1" = true ] || exec "$@"\n')
    sudo.chmod(sudo.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    provision.install({"frob": "frob"}, Progress())
    assert "Installing with sudo -n apt-get install" in capsys.readouterr().err


def test_not_debian(machine):
    with pytest.raises(FoliotError, match=r"missing: frob .names of Debian's packages."):
        provision.install({"frob": "frob"}, Progress(quiet=True))
