# SPDX-License-Identifier: Apache-2.0
"""Campaigns: one result whatever runs them, on cores and on Dask's workers, and after deaths."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from cluster import LIMIT_S, Dask, until

import logs
from foliot.campaign import hear, run, saved, work
from foliot.campaign.here import Here
from foliot.campaign.jobs import ELSEWHERE, PYTHON, STOPPED, Job, pack
from foliot.measure import matrix, session
from foliot.model.errors import FoliotError, UsageError
from foliot.show.terminal import Progress
from foliot.target import boards, paths
from support.command import ROOT

QUIET = Progress(quiet=True)


def perform(job):
    contents = {content: pack(path) for content, path in job.packed().items()}
    return work.perform(job.spec, contents)


def shell(text, name="x", limit_s=LIMIT_S, **files):
    return Job(name, ("/bin/sh", "-c", text), files, limit_s)


@dataclass(frozen=True)
class Asked:
    """What needs nothing but its jobs."""

    jobs: tuple[Job, ...]


def same(asked):
    return asked


def outputs(done):
    """Return what each came to, in order: its status and output, or what went wrong."""
    told = sorted(done, key=lambda one: one.number)
    return [str(one.error) if one.error else [(r.status, r.output) for r in one.results]
            for one in told]  # fmt: skip


# ---- a job ----


def test_a_job_is_what_it_does_and_no_more(tmp_path):
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_text("same")
    two.write_text("same")
    job = shell("cat file", file=one)
    assert job.key == replace(job, name="another", files={"file": two}).key
    others = [replace(job, words=("true",)), replace(job, files={"elif": one}),
              replace(job, limit_s=1)]  # fmt: skip
    two.chmod(0o755)
    others.append(replace(job, files={"file": two}))
    three = tmp_path / "three"
    three.write_text("other")
    others.append(replace(job, files={"file": three}))
    assert len({other.key for other in [job, *others]}) == 6


def test_a_job_runs_in_a_directory_of_its_own_that_is_gone_afterwards(tmp_path):
    file = tmp_path / "file"
    file.write_text("content\n")
    program = tmp_path / "program"
    program.write_text("#!/bin/sh\necho said by a program\n")
    program.chmod(0o755)
    job = Job("x", ("/bin/sh", "-c", "pwd; ls; cat a/file; a/program; echo bad >&2; exit 3"),
              {"a/file": file, "a/program": program})  # fmt: skip
    status, said = perform(job)
    where, *lines = said.decode().splitlines()
    assert (status, lines) == (3, ["a", "content", "said by a program", "bad"])
    assert not Path(where).exists()


def test_a_jobs_python_is_the_workers():
    status, said = perform(Job("x", (PYTHON, "-c", "import sys; print(sys.executable)"), {}))
    assert (status, said.decode().strip()) == (0, sys.executable)


@pytest.mark.parametrize("name", ["../up", "/root", "a/../../up"])
def test_a_name_outside_of_the_directory_is_refused(tmp_path, name):
    (tmp_path / "x").write_text("x")
    with pytest.raises(ValueError, match="is no name in a job's directory"):
        perform(Job("x", ("true",), {name: tmp_path / "x"}))


def test_a_file_that_came_damaged_is_refused(tmp_path):
    (tmp_path / "x").write_text("x")
    job = Job("x", ("true",), {"x": tmp_path / "x"})
    job.spec  # noqa: B018 (its content's name is known from here on)
    (tmp_path / "x").write_text("y")
    with pytest.raises(ValueError, match="came damaged"):
        perform(job)


def test_what_outlives_its_limit_is_ended_with_all_that_it_started(tmp_path):
    pids = tmp_path / "pids"
    job = shell(f"sleep 100 & echo $! >{pids}; echo begun; wait", limit_s=1)
    status, said = perform(job)
    assert (status, said) == (STOPPED, b"begun\n")
    assert gone(int(pids.read_text()))


def gone(pid):
    """Wait until a process is no more; it is a zombie where nobody waits for orphans."""
    for _ in range(LIMIT_S * 10):
        try:
            if " Z " in Path(f"/proc/{pid}/stat").read_text():
                return True
        except FileNotFoundError:
            return True
        time.sleep(0.1)
    return False


def test_what_babbles_is_cut_off():
    job = shell("yes 0123456789abcdef | head -c 200000000", limit_s=LIMIT_S)
    assert len(perform(job)[1]) == 64 << 20


# ---- a campaign, here ----


@pytest.fixture
def build(tmp_path, monkeypatch):
    monkeypatch.setattr(paths, "BUILD", tmp_path / "build")
    return tmp_path / "build" / "campaign"


def counted(tmp_path, number):
    """Return a job that leaves a mark each time it is run."""
    return shell(f"echo x >>{tmp_path}/ran.{number}; echo {number}; exit {number % 3}", str(number))


def times_run(tmp_path, number):
    mark = tmp_path / f"ran.{number}"
    return len(mark.read_text().splitlines()) if mark.exists() else 0


@pytest.mark.parametrize("at_once", [1, 3])
def test_what_comes_of_it_does_not_depend_on_how_many_run_at_a_time(build, tmp_path, at_once):
    asked = [Asked((counted(tmp_path, n), counted(tmp_path, 7))) for n in range(5)]
    with Here(at_once) as here:
        told = outputs(run.run(asked, same, here))
    assert told == [[(n % 3, b"%d\n" % n), (1, b"7\n")] for n in range(5)]
    assert times_run(tmp_path, 7) == 1  # which all of them need
    assert list(build.iterdir()) == []


def test_what_goes_wrong_with_one_is_told_of_it_and_the_others_go_on(build):
    asked = [Asked((shell("echo fine"),)), Asked((shell("echo no room; exit 75", "second"),)),
             Asked((shell("sleep 60", "third", 1),)), None]  # fmt: skip
    with Here(2) as here:
        told = outputs(run.run(asked, refuse_none, here))
    assert told == [[(0, b"fine\n")], "second: no room", "third: it took too long", "none at all"]
    assert ELSEWHERE == 75


def refuse_none(asked):
    if asked is None:
        raise FoliotError("none at all")
    return asked


def test_a_campaign_that_was_cut_off_goes_on(build, tmp_path):
    asked = [Asked((counted(tmp_path, n),)) for n in range(4)]
    with Here(1) as here:
        begun = run.run(asked, same, here)
        first = next(begun)
        begun.close()
    assert saved.find(asked[first.number].jobs[0]) is not None
    ran = [times_run(tmp_path, n) for n in range(4)]
    with Here(1) as here:
        told = outputs(run.run(asked, same, here))
    assert told == [[(n % 3, b"%d\n" % n)] for n in range(4)]
    assert times_run(tmp_path, first.number) == ran[first.number] == 1
    with Here(1) as here:  # it has come to its end: the next one begins anew
        list(run.run(asked, same, here))
    assert times_run(tmp_path, first.number) == 2


def test_a_result_that_was_damaged_on_the_disk_is_none(build, tmp_path):
    job = counted(tmp_path, 1)
    build.mkdir(parents=True)
    (build / job.key).write_bytes(b"garbage")
    assert saved.find(job) is None
    os.utime(build / job.key, (0, 0))
    saved.forget_old()
    assert list(build.iterdir()) == []


def test_what_another_takes_away_meanwhile_is_not_among_the_newest(tmp_path):
    for age, name in enumerate(("new", "gone", "old")):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (1000 - age, 1000 - age))

    def looked_at():
        for name in ("old", "gone", "new"):
            (tmp_path / "gone").unlink(missing_ok=True)
            yield tmp_path / name

    assert paths.newest_first(looked_at()) == [tmp_path / "new", tmp_path / "old"]


def test_a_process_that_is_killed_is_said(build):
    with Here(1) as here:
        (told,) = run.run([1], kill_yourself, here)
    assert "was killed" in str(told.error)
    assert "goes on" in told.error.advice


def kill_yourself(_):
    os.kill(os.getpid(), signal.SIGKILL)


# ---- images ----

HEADER = {**logs.HEADER, "board": "fake", "suite": "some"}
CONFS = ("canaries", "timeslicing")


@pytest.fixture
def some(tree):
    """A suite that is measured in three configurations."""
    tree.suite("some", logs.log([logs.row("a.b", [50] * 20)], HEADER))
    for name in CONFS:
        tree.write(f"conf/prj.{name}.conf", "CONFIG_LIMIT=5\n")
    return tree


def measure(where):
    request = session.Request("fake", suite="some")
    wanted = [(name,) for name in CONFS]
    return matrix.as_dict(matrix.measure(request, QUIET, wanted, where))


@pytest.mark.slow
def test_a_run_by_a_job_is_the_run_by_hand(some):
    request = session.Request("fake", suite="some", conf=("canaries",))
    by_hand = session.measure(request, QUIET)
    prepared = session.prepare(request)
    with Here(1) as here:
        (done,) = run.run([request], session.prepare, here)
    by_job = done.prepared.measured(done.results)
    assert by_job.log == by_hand.log
    assert by_job.examined() == by_hand.examined()
    assert prepared.jobs[0].key == done.prepared.jobs[0].key


@pytest.mark.slow
def test_a_job_needs_neither_this_repository_nor_its_packages(some):
    """Python's own library is enough: -S and -I let nothing else in."""
    job = session.prepare(session.Request("fake", suite="some")).jobs[0]
    alone = replace(job, words=(job.words[0], "-S", "-I", *job.words[1:]))
    status, said = perform(alone)
    assert status == 0, said
    assert b'"reason": "pass"' in said
    assert str(ROOT).encode() not in said


def test_a_worker_with_another_emulator_refuses(monkeypatch, tmp_path):
    (tmp_path / "firmware.elf").write_bytes(b"")
    monkeypatch.setattr(hear.process, "version", lambda tool: "QEMU 0.1")
    job = hear.job(boards.load("mps2_an385"), tmp_path / "firmware.elf")
    monkeypatch.undo()
    status, said = perform(job)
    assert status == ELSEWHERE
    assert b"asked for was QEMU 0.1" in said


def test_what_a_worker_says_that_is_no_result_is_an_error(tmp_path):
    from foliot.campaign.jobs import Result

    for said in (b"", b"{}", b"[]", b'{"outcome": {"x": 1}}', b"Traceback\nImportError: no\n"):
        with pytest.raises(FoliotError, match=r"a worker failed \(status 1\)"):
            hear.heard(Result(1, said), tmp_path)
    with pytest.raises(FoliotError, match="as it says"):
        hear.heard(Result(0, b'{"error": "as it says"}'), tmp_path)


@pytest.mark.parametrize("option", ["--jobs=2", "--scheduler=tcp://127.0.0.1:1"])
def test_one_image_is_no_campaign(foliot, option):
    done = foliot("bench", "-q", option)
    assert done.returncode == 2
    assert "can't be given together" in done.stderr


def test_no_command_waits_for_what_campaigns_alone_need():
    words = "import sys, foliot.commands.bench, foliot.commands.test; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-P", "-c", words], capture_output=True, text=True,
                          check=True, timeout=LIMIT_S,
                          env={**os.environ, "PYTHONPATH": str(ROOT / "lab")})  # fmt: skip
    loaded = done.stdout.split()
    assert not {"foliot.campaign.cluster", "foliot.farm.place", "multiprocessing"} & {*loaded}
    assert not {name.partition(".")[0] for name in loaded} & {
        "distributed", "dask", "cloudpickle", "tornado", "labgrid", "grpc", "serial", "sqlalchemy",
    }  # fmt: skip


# ---- on a cluster ----


@pytest.fixture
def dask(tmp_path_factory):
    made = Dask(tmp_path_factory.mktemp("dask"))
    yield made
    made.end()


@pytest.mark.slow
@pytest.mark.needs("cluster")
def test_nobody_answers(build):
    with pytest.raises(FoliotError, match=r"no scheduler answers at tcp://127\.0\.0\.1:9"):
        run.executor(1, "tcp://127.0.0.1:9", QUIET)
    with pytest.raises(UsageError, match="takes tcp://HOST:PORT"):
        run.executor(1, "127.0.0.1:8786", QUIET)


@pytest.mark.slow
@pytest.mark.needs("cluster")
def test_on_a_cluster_it_comes_to_the_same_and_after_deaths_too(some, tmp_path, dask):
    """In turns, on one cluster: images; a worker is killed; then the scheduler."""
    scheduler, first = dask.scheduler(), dask.worker()
    with run.executor(2, dask.address, QUIET) as where:
        until(lambda: where.told().startswith("on 1 worker "), dask)
        assert measure(where) == measure(None)
    second = a_worker_is_killed(tmp_path, dask, first)
    assert second.poll() is None
    the_scheduler_is_killed(tmp_path, dask, scheduler)


def waiting(place, name):
    """Return a job that notes who runs it, and waits until it may end."""
    begun, go = place / f"{name}.pids", place / f"{name}.go"
    text = f"echo $$ >>{begun}; until [ -e {go} ]; do sleep 0.1; done; echo done"
    return shell(f"PATH=/usr/bin:/bin; {text}", name)


def noted(place, name):
    file = place / f"{name}.pids"
    return file.read_text().split() if file.exists() else []


def a_worker_is_killed(place, dask, first):
    """In the midst of a job, which another one does; what it ran ends with it."""
    started = []

    def kill():
        until(lambda: noted(place, "one"), dask)
        first.kill()
        started.append(dask.worker())
        until(lambda: len(noted(place, "one")) == 2, dask)
        (place / "one.go").touch()

    other = threading.Thread(target=kill)
    other.start()
    with run.executor(1, dask.address, QUIET) as where:
        told = outputs(run.run([Asked((waiting(place, "one"),))], same, where))
    other.join(LIMIT_S)
    assert told == [[(0, b"done\n")]]
    assert gone(int(noted(place, "one")[0]))
    return started[0]


def the_scheduler_is_killed(place, dask, scheduler):
    """What was done before is kept, and is not done again on the next one."""
    asked = [Asked((counted(place, 1),)), Asked((waiting(place, "two"),))]

    def kill():
        until(lambda: noted(place, "two") and saved.find(asked[0].jobs[0]), dask)
        scheduler.kill()

    other = threading.Thread(target=kill)
    other.start()
    with (
        run.executor(1, dask.address, QUIET) as where,
        pytest.raises(FoliotError, match=r"the scheduler at tcp://.* is gone") as error,
    ):
        list(run.run(asked, same, where))
    assert "goes on from here" in error.value.advice
    other.join(LIMIT_S)
    (place / "two.go").touch()
    dask.scheduler()
    dask.worker()
    with run.executor(1, dask.address, QUIET) as where:
        told = outputs(run.run(asked, same, where))
    assert told == [[(1, b"1\n")], [(0, b"done\n")]]
    assert times_run(place, 1) == 1
