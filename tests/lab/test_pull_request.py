# SPDX-License-Identifier: Apache-2.0
"""What a pull request shows: the comment, metrics, badges; the action's steps, and who posts."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import threading
import xml.etree.ElementTree as ET
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import workflows
from markdown_it import MarkdownIt

import logs
from foliot.commands import gate
from foliot.exporters.comment import MOST, Told, comment
from foliot.exporters.openmetrics import openmetrics
from foliot.judge.gate import judge_exactly
from foliot.log.reader import parse
from foliot.model.errors import UsageError
from foliot.model.run import Footprint
from foliot.reference import systems
from foliot.report import badge
from foliot.store.sqlite import Store

ROOT = Path(__file__).resolve().parents[2]
ACTION = ROOT / ".github" / "actions" / "gate" / "action.yml"
TOLD = Told("ibex", gate.EXACT, "https://ci.example/runs/7")


def run_of(thread=64, **medians):
    records = [logs.row(name.replace("_", "."), [value + 9] + [value] * 199)
               for name, value in medians.items()]  # fmt: skip
    return replace(parse(logs.log(records)), footprint=Footprint(1500, 4, 80, {"thread": thread}))


def said(old, new, told=TOLD):
    return comment(judge_exactly(old, new, []), new, told)


def test_nothing_changed_is_one_line():
    marker, *lines = said(run_of(a_x=50), run_of(a_x=50)).splitlines()
    assert marker == "<!-- foliot gate: latency on ibex -->"
    (line,) = lines
    assert line.startswith(
        "**Foliot**, latency on ibex, in cycles: nothing changed in 1 row against"
    )
    assert line.endswith(" ibex. [The report](https://ci.example/runs/7)")


def test_what_changed_by_how_much_and_how_sure():
    old = run_of(a_same=10, a_up=50, a_down=50, a_gone=5)
    text = said(old, run_of(68, a_same=10, a_up=55, a_down=40, a_new=9))
    assert "5 rows: 1 same, 1 faster, 1 failed, 1 missing, 1 new; 4 sizes in bytes: 3 same" in text
    table = [line for line in text.splitlines() if line.startswith("|")]
    assert table[2].startswith(r"| **failed** | a.up | 50 | 55 | +5 (+10.0 %) |")
    assert [line.split("|")[2].strip() for line in table[2:]] == [
        "a.up", "a.gone", "footprint.thread", "a.down", "a.new",
    ]  # fmt: skip
    assert "| faster | a.down | 50 | 40 | -10 (-20.0 %) |" in text
    assert text.endswith("Exact: a simulated board gives the same figures every time.\n")


def test_what_a_console_printed_is_text_and_no_markup():
    """A row's name comes from a board, a doubt's text too: nothing of them is a link or a tag."""
    name = "x](http://evil)<img src=x>|`@all`\n# --> **b**"
    old, new = (run_of(a_x=value) for value in (50, 60))
    rows = [replace(run.rows[0], id=name, text=name) for run in (old, new)]
    header = replace(new.header, suite="--> <b>", board="b|`c`")
    old, new = old.with_rows([rows[0]]), replace(new.with_rows([rows[1]]), header=header)
    text = said(old, new, Told("<i>x", gate.EXACT))
    assert text.splitlines()[0].count("-->") == 1
    html = MarkdownIt("commonmark", {"html": True}).enable("table").render(text)
    body = html.partition("-->")[2]
    assert set(re.findall(r"<(\w+)", body)) <= {
        "p", "strong", "table", "thead", "tbody", "tr", "th", "td",
    }  # fmt: skip
    assert "&lt;img src=x&gt;" in body
    assert "<strong>b" not in body


def test_a_comment_stays_short():
    many = {f"r{number:04}": 50 for number in range(2000)}
    text = said(run_of(**many), run_of(**dict.fromkeys(many, 60)))
    assert len(text) < 20_000
    assert f"| and {2000 - MOST} more |" in text


def test_a_run_that_is_not_valid_says_why(foliot, tmp_path):
    run = systems.load("zephyr-4.3@rpi_pico")
    from foliot.judge.doubts import examine_saved

    text = comment([], examine_saved(run), TOLD)
    assert text.count("* **not valid**: ") >= 3
    assert "a 24-bit counter wrapped" in text


@pytest.mark.parametrize("link", ["javascript:x", "https://x y", "https://x)<b>", "x"])
def test_a_link_is_an_address(link):
    with pytest.raises(UsageError, match="--link takes an address"):
        gate.run_gate(gate.Request(link=link), Store(), True)


def test_the_command_writes_comment_and_metrics(foliot, tmp_path):
    """A reference that nothing was measured for: held against itself, and against another."""
    words = ("gate", "zephyr-3.3@ibex", "--baseline", "zephyr-3.3@ibex", "--comment", "-")
    done = foliot(*words, "--metrics", tmp_path / "metrics.txt")
    assert done.returncode == 0, done.stderr
    assert "nothing changed in 47 rows" in done.stdout
    assert "47 same" in done.stderr
    assert (tmp_path / "metrics.txt").read_text().endswith("# EOF\n")
    bad = foliot(*words[:-1], tmp_path / "nowhere" / "x")
    assert (bad.returncode, bad.stdout) == (2, "")


def test_metrics_are_read_as_gitlab_reads_them():
    """It takes away comments, takes the line apart as a shell does, and keeps two words."""
    run = run_of(a_x=50, b=7)
    run = replace(run, rows=(*run.rows, replace(run.rows[0], id='c "#x\\\n} 1')))
    found = {}
    for line in openmetrics(run).splitlines():
        words = shlex.split(re.sub(r"#.*$", "", line))
        assert len(words) in (0, 2), line
        if words:
            found[words[0]] = float(words[1])
    labels = "board=ibex,suite=latency,unit=cycles"
    assert found[f"foliot_row{{{labels},row=a.x}}"] == 50
    assert found[f"foliot_row{{{labels},row=c___x____1}}"] == 50
    assert found["foliot_footprint_bytes{" + labels + ",of=thread}"] == 64
    assert len(found) == 3 + 4


@pytest.mark.parametrize(
    ("what", "label", "value"),
    [
        ("heap.malloc.immediate", "heap.malloc.immediate on ibex", "858 cycles"),
        ("mean", "ibex beside", "times over"),
    ],
)
def test_badges(what, label, value):
    run = systems.load("zephyr-3.3@ibex")
    if what == "mean":
        from foliot.model.run import Reference

        run = run.with_rows([replace(row, reference=Reference("Z", 100)) for row in run.rows])
    root = ET.fromstring(badge.svg(badge.badge(run, what)))
    texts = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert texts[0].startswith(label)
    assert value in texts[1]
    assert root.get("aria-label") == ": ".join(texts)
    ends = [float(one.get("x")) + float(one.get("textLength"))
            for one in root.iter("{http://www.w3.org/2000/svg}text")]  # fmt: skip
    assert ends[-1] < float(root.get("width"))


def test_a_badge_of_a_weight_and_one_of_markup():
    assert badge.badge(run_of(a_x=5), "footprint.thread").value == "64 bytes"
    hostile = badge.Badge("<script>x</script>\"'&\0", "]]>" * 50)
    root = ET.fromstring(badge.svg(hostile))
    assert {element.tag.partition("}")[2] for element in root.iter()} == {
        "svg", "title", "rect", "g", "text",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["badge", "heap.malloc", "zephyr-3.3@ibex"], "did you mean heap.malloc.immediate?"),
        (["badge", "mean", "zephyr-3.3@ibex"], "there is no mean"),
        (["badge", "mean", "zephyr-*@ibex"], "runs"),
    ],
)
def test_badges_that_can_not_be(foliot, words, told):
    done = foliot(*words)
    assert done.returncode == 2
    assert told in done.stderr


def steps(path):
    found = workflows.read(path.read_text())
    return found["runs"]["steps"] if "runs" in found else found["jobs"]["gate"]["steps"]


def test_no_script_holds_a_word_of_whoever_asks():
    """`${{ ... }}` in a script is put in as it is: a branch may be called `$(curl evil)`."""
    for path in ACTION, ROOT / ".github" / "workflows" / "gate.yml":
        scripts = [step["run"] for step in steps(path) if "run" in step]
        assert scripts
        assert not any("${{" in script for script in scripts)


def test_the_workflow_uses_the_action_and_gitlab_the_same_scripts():
    used = [step.get("uses") for step in steps(ROOT / ".github" / "workflows" / "gate.yml")]
    assert "./.github/actions/gate" in used
    job = workflows.read((ROOT / ".gitlab-ci.yml").read_text())["gate"]
    ours = [step["run"] for step in steps(ACTION) if "run" in step]
    assert job["script"] + job["after_script"] == ours
    reports = job["artifacts"]["reports"]
    assert set(reports) == {"junit", "metrics"}
    text = (ROOT / ".ci" / "gate").read_text()
    assert all(f'"$out/{Path(place).name}"' in text for place in reports.values())


class Comments(BaseHTTPRequestHandler):
    """A server's comments of one request, in either's words; `refuses` is a status."""

    def log_message(self, *words):
        """Say nothing."""

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        page = int(re.search(r"[?&]page=(\d+)", self.path)[1])
        self.answer(200, self.server.comments[100 * page - 100 : 100 * page])

    def write(self):
        said = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append((self.command, self.path.partition("?")[0], self.headers))
        if self.server.refuses:
            self.answer(self.server.refuses, {"message": "no"})
        elif self.command == "POST":
            self.server.comments.append({"id": 1000 + len(self.server.comments), **said})
            self.answer(201, {})
        else:
            number = int(self.path.rpartition("/")[2])
            next(one for one in self.server.comments if one["id"] == number).update(said)
            self.answer(200, {})

    do_POST = do_PATCH = do_PUT = write  # noqa: N815 (the names that the module asks for)


@pytest.fixture
def forge():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Comments)
    server.comments = [{"id": number, "body": "by somebody"} for number in range(130)]
    server.asked, server.refuses = [], 0
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join(timeout=10)


def posted(file, forge, kind, **more):
    address = f"http://127.0.0.1:{forge.server_address[1]}"
    said = {
        "github": {"GITHUB_API_URL": address, "GITHUB_REPOSITORY": "o/r", "FOLIOT_REQUEST": "7"},
        "gitlab": {"CI_API_V4_URL": address, "CI_PROJECT_ID": "3", "CI_MERGE_REQUEST_IID": "7"},
    }[kind]
    words = {"PATH": os.environ["PATH"], "FOLIOT_TOKEN": "secret", **said, **more}
    done = subprocess.run([ROOT / ".ci" / "comment", file], env=words, capture_output=True,
                          text=True, timeout=60, check=True)  # fmt: skip
    assert "secret" not in done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("kind", "listed", "again", "token"),
    [
        ("github", "/repos/o/r/issues/7/comments", ("PATCH", "/repos/o/r/issues/comments/1130"),
         ("Authorization", "Bearer secret")),
        ("gitlab", "/projects/3/merge_requests/7/notes",
         ("PUT", "/projects/3/merge_requests/7/notes/1130"), ("PRIVATE-TOKEN", "secret")),
    ],
)  # fmt: skip
def test_a_request_has_one_comment_however_often_it_is_tested(
    tmp_path, forge, kind, listed, again, token
):
    file = tmp_path / "comment.md"
    for text in ("first", "second", "third"):
        file.write_text(f"<!-- foliot gate: latency on ibex -->\n{text}\n")
        posted(file, forge, kind)
    assert [words[:2] for words in forge.asked] == [("POST", listed), again, again]
    assert all(words[2][token[0]] == token[1] for words in forge.asked)
    assert len(forge.comments) == 131
    assert forge.comments[-1]["body"].endswith("third\n")
    file.write_text("<!-- foliot gate: latency on mps2_an385 -->\nanother board's\n")
    posted(file, forge, kind)
    assert len(forge.comments) == 132


def test_what_may_not_be_written_is_said_and_fails_nothing(tmp_path, forge):
    file = tmp_path / "comment.md"
    file.write_text("<!-- x -->\n")
    forge.refuses = 403
    assert "GitHub took no comment: HTTP Error 403" in posted(file, forge, "github")
    assert "no request, or no token" in posted(file, forge, "github", FOLIOT_TOKEN="")
    assert "no request, or no token" in posted(file, forge, "github", FOLIOT_REQUEST="")
    assert "no request, or no token" in posted(file, forge, "github", FOLIOT_REQUEST="7/../8")
    summary = tmp_path / "summary.md"
    posted(file, forge, "github", GITHUB_STEP_SUMMARY=str(summary))
    assert summary.read_text() == "<!-- x -->\n"


def git(where, *words):
    who = ("-c", "user.name=t", "-c", "user.email=t@t", "-c", "commit.gpgsign=false")
    done = subprocess.run(["git", "-C", where, *who, *words], capture_output=True, text=True,
                          check=True, timeout=120)  # fmt: skip
    return done.stdout.strip()


@pytest.fixture
def clone(tmp_path):
    """A clone of this repository as it stands, with the environment that is there."""
    place = tmp_path / "clone"
    git(tmp_path, "clone", "--quiet", "--shared", str(ROOT), str(place))
    for name in git(ROOT, "ls-files", "-mo", "--exclude-standard").splitlines():
        if (ROOT / name).is_file():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_bytes((ROOT / name).read_bytes())
            (place / name).chmod((ROOT / name).stat().st_mode)
    (place / ".venv").symlink_to((ROOT / ".venv").resolve())
    return place


@pytest.mark.long
@pytest.mark.board("mps2_an385")
def test_the_actions_own_steps(clone, forge):
    """As on a request whose base has another baseline: the gate passes, the comment tells."""
    baseline = clone / "data" / "baseline" / "mps2_an385.json"
    now = baseline.read_text()
    figures = json.loads(now)
    row = next(row for row in figures["rows"] if row["id"] == "heap.free.immediate")
    row["p50"] += 40
    baseline.write_text(json.dumps(figures))
    git(clone, "add", "--all")
    git(clone, "commit", "--quiet", "--no-verify", "--message", "base")
    base = git(clone, "rev-parse", "HEAD")
    baseline.write_text(now)
    address = f"http://127.0.0.1:{forge.server_address[1]}"
    values = {
        "inputs.board": "mps2_an385", "inputs.suite": "latency", "inputs.token": "t",
        "github.event.pull_request.base.sha": base, "github.server_url": "https://g.example",
        "github.repository": "o/r", "github.run_id": "9", "github.event.pull_request.number": "7",
    }  # fmt: skip
    ran = 0
    for step in steps(ACTION):
        if "run" not in step:
            continue
        given = {name: re.sub(r"\$\{\{ (.*?) \}\}", lambda found: values[found[1]], word)
                 for name, word in step["env"].items()}  # fmt: skip
        given |= {"GITHUB_API_URL": address, "GITHUB_REPOSITORY": "o/r"}
        done = subprocess.run(["sh", "-e", "-c", step["run"]], cwd=clone, text=True, timeout=600,
                              env={**os.environ, **given}, capture_output=True,
                              check=False)  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        ran += 1
    assert ran == 2
    made = clone / "build" / "gate"
    assert {path.name for path in made.iterdir()} == {
        "base.json", "comment.md", "floor.svg", "footprint.text.svg", "junit.xml", "mean.svg",
        "metrics.txt", "report.html", "run.json", "store",
    }  # fmt: skip
    text = forge.comments[-1]["body"]
    assert text == (made / "comment.md").read_text()
    assert "against base: 47 rows: 46 same, 1 faster" in text
    after = row["p50"] - 40
    assert f"| faster | heap.free.immediate | {row['p50']} | {after} | -40 (" in text
    assert "[The report](https://g.example/o/r/actions/runs/9)" in text
    assert ET.parse(made / "junit.xml").getroot().get("failures") == "0"
