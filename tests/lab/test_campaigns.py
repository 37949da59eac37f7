# SPDX-License-Identifier: Apache-2.0
"""`foliot campaign`: one result however many trials run at a time, and after it was cut off."""

from __future__ import annotations

import json

import pytest
import typer

from foliot.campaign.here import Here
from foliot.campaign.jobs import ELSEWHERE
from foliot.commands.campaign import command
from foliot.model.errors import FoliotError, UsageError
from foliot.project import campaigns
from foliot.show.terminal import Progress
from foliot.store import results
from foliot.store.sqlite import Store
from foliot.target import paths

QUIET = Progress(quiet=True)
MADE = """
from foliot.campaign.jobs import Job
from foliot.model.errors import FoliotError
from foliot.project.campaigns import Again, Scratch, Trial, Verdict
TITLE, SAMPLE = "trials that are made up", 2
def items():
    return [(number, 0) for number in range(9)]
def named(item):
    return f"trial {item[0]}"
def prepare(item):
    assert Scratch.place.is_dir()
    number, look = item
    if number == 5:
        raise FoliotError("it does not build")
    status = 75 if number == 7 else number % 3
    text = f"echo x >>MARK.{number}.{look}; echo said {number}.{look}; exit {status}"
    return Trial((Job(named(item), ("/bin/sh", "-c", text), {}, 60),), number)
def judged(item, trial, results):
    assert trial.facts == item[0]
    if results[0].status == 2 and not item[1]:
        return Again((item[0], 1))
    said = results[0].output.decode().strip()
    return Verdict(named(item), results[0].status != 1, said, {"looks": 1 + item[1]})
"""


@pytest.fixture
def made(tmp_path, monkeypatch):
    place = tmp_path / "tests" / "deep" / "made"
    place.mkdir(parents=True)
    (place / "campaign.py").write_text(MADE.replace("MARK", str(tmp_path / "ran")))
    monkeypatch.setattr(campaigns, "TESTS", tmp_path / "tests")
    monkeypatch.setattr(paths, "BUILD", tmp_path / "build")
    return tmp_path


def test_it_is_one_result_however_many_run_at_a_time(made):
    one, three = (campaigns.run("made", 1, Here(jobs), QUIET).as_dict() for jobs in (1, 3))
    assert one == three
    assert json.loads(json.dumps(one)) == one
    said = {trial["name"]: (trial["good"], trial["said"]) for trial in one["trials"]}
    assert list(said) == [f"trial {number}" for number in range(9)]
    assert said["trial 0"] == (True, "said 0.0")
    assert said["trial 1"] == (False, "said 1.0")
    assert said["trial 2"] == (True, "said 2.1")  # which followed from the first look
    assert said["trial 5"] == (False, "it does not build")
    assert said["trial 7"][1] == "trial 7: said 7.0"
    assert (one["bad"], one["counts"]) == (4, {"looks": 9})
    assert ELSEWHERE == 75
    for left in ("campaign", "campaign-trees"):
        assert list((made / "build" / left).iterdir()) == []


def test_what_tests_need_is_installed_before_a_campaign_is_imported(made, monkeypatch):
    """In a fresh clone pytest is missing, which the campaign of mutants imports."""
    done = []

    def install(requirements, _progress):
        done.append(requirements.name)

    monkeypatch.setattr(campaigns.provision, "python_packages", install)
    monkeypatch.setattr(campaigns, "load", lambda _name: pytest.fail(f"after {done}"))
    with pytest.raises(pytest.fail.Exception, match=r"after \['requirements-test.txt'\]"):
        asked(made / "store")
    with pytest.raises(FoliotError, match="nosuch"):
        asked(made / "store", name="nosuch")
    assert len(done) == 1


def test_of_so_many_trials_one_is_tried(made):
    assert len(campaigns.run("made", None, Here(1), QUIET).verdicts) == 5
    assert len(campaigns.run("made", 4, Here(1), QUIET).verdicts) == 3


def test_what_was_cut_off_goes_on(made, monkeypatch):
    """In the second look: the first ones are not made again, but for one that has no result."""
    whole = campaigns.run("made", 1, Here(1), QUIET).as_dict()
    for mark in made.glob("ran.*"):
        mark.unlink()
    judged, left = campaigns._judged, [10]

    def cut(module, item, done):
        left[0] -= 1
        if not left[0]:
            raise KeyboardInterrupt
        return judged(module, item, done)

    monkeypatch.setattr(campaigns, "_judged", cut)
    with pytest.raises(KeyboardInterrupt):
        campaigns.run("made", 1, Here(1), QUIET)
    monkeypatch.setattr(campaigns, "_judged", judged)
    assert campaigns.run("made", 1, Here(1), QUIET).as_dict() == whole
    times = {mark.name: mark.read_text().count("x") for mark in made.glob("ran.*")}
    twice = {name for name, count in times.items() if count != 1}
    assert {name for name in twice if name.endswith(".0")} <= {"ran.7.0"}


def asked(store, name="made", **how):
    """Call the command, as it is when nothing else is said; return its exit status."""
    how = {"every": 1, "past": False, "record": True, "jobs": 1, "scheduler": None, "json": None,
           "quiet": False, **how}  # fmt: skip
    try:
        command(name, store=store, **how)
    except typer.Exit as end:
        return end.exit_code
    return 0


def test_a_result_is_on_record_and_what_is_newly_bad_is_said(made, capsys):
    store = made / "store"
    assert asked(store, past=True) == 0
    assert capsys.readouterr().out == "no result is on record\n"
    assert asked(store, record=False) == 1
    assert not store.exists()
    assert asked(store) == 1
    assert "not so before" not in capsys.readouterr().err
    (first,) = results.past(Store(store), "campaign", "made")
    assert first.found["counts"] == {"looks": 9}
    assert first.told == "9 trials, 4 not as they should be, 9 looks"
    file = made / "tests" / "deep" / "made" / "campaign.py"
    file.write_text(file.read_text().replace("number == 5", "number in (5, 8)"))
    assert asked(store) == 1
    said = capsys.readouterr()
    assert said.err.count("not so before") == 1
    assert "not so before: trial 8" in said.err
    assert [one.name for one in results.past(Store(store))] == ["made", "made"]
    assert asked(store, past=True) == 0
    assert capsys.readouterr().out.count("made: 9 trials") == 2
    assert results.past(Store(store), name="other") == []


@pytest.mark.parametrize(("content", "says"), [
    (b"", "is no result"), (b"[]", "is no result"), (b'{"schema": 1}', "is no result"),
    (b'{"schema": 2}', "newer foliot"), (b"\xff", "is no result"),
    (b'{"schema": 1, "kind": 3, "name": "", "when": "", "commit": "", "told": "", "found": {}}',
     "is no result"),
])  # fmt: skip
def test_a_file_that_is_no_result_is_named_and_not_passed_over(tmp_path, content, says):
    (tmp_path / "results").mkdir()
    (tmp_path / "results" / "x.json").write_bytes(content)
    with pytest.raises(FoliotError, match=rf"results/x.json .*{says}"):
        results.past(Store(tmp_path))


def test_a_campaign_that_is_none_is_named_with_those_that_are(made):
    with pytest.raises(UsageError, match="unknown campaign 'nothing'"):
        campaigns.run("nothing", 1, Here(1), QUIET)


def test_the_repositorys_own_are_listed_and_each_says_what_it_tries(foliot):
    told = foliot("campaign").stdout.splitlines()
    assert [line.split()[0] for line in told] == [
        "attack", "everywhere", "fuzz", "ipc", "mutation", "taint",
    ]  # fmt: skip
    assert all(len(line) > 30 for line in told)


@pytest.mark.board("ibex")
@pytest.mark.long
def test_a_share_of_everywhere_on_two_at_a_time_is_that_of_one(foliot):
    words = ("campaign", "everywhere", "--every", "30", "--json", "-", "--quiet")
    one, two = (foliot(*words, "--jobs", jobs, limit_s=900) for jobs in ("1", "2"))
    assert one.returncode == two.returncode == 0
    assert one.stdout == two.stdout
    assert json.loads(one.stdout)["counts"]["arrivals"] > 5000
