# SPDX-License-Identifier: Apache-2.0
"""The server in a real browser: logging in, a bench as it runs, reports and histories."""

from __future__ import annotations

import browser
import pytest
import team

from foliot.remote import live, transfer
from foliot.remote.live import Teller, ToldProgress
from foliot.remote.remotes import find
from foliot.show.terminal import Progress
from foliot.store import documents

pytestmark = [pytest.mark.slow, pytest.mark.needs("browser")]
QUIET = Progress(quiet=True)
MARKUP = "<img src=x onerror=\"document.title='owned'\">"


@pytest.fixture(scope="module")
def chromium():
    with browser.Browser() as one:
        yield one


def at(chromium: browser.Browser, address: str) -> None:
    chromium.call("Page.navigate", url=address)
    team.wait_for(lambda: chromium.run("document.readyState + location.href") ==
                  f"complete{address}")  # fmt: skip


def test_a_reader_logs_in_and_goes_from_the_first_page_to_each_other(
    team_server, chromium, tmp_path
):
    project, [token] = team_server.project("record")
    store, client = team_server.store(tmp_path, project, token)
    for shift in range(3):
        team.keep(store, name=f"run-{shift}", shift=10 * shift, kernel_commit=f"{shift}" * 12)
    team.keep(store, name=MARKUP, board=MARKUP, suite="other")
    with client:
        transfer.push(store, client, QUIET)
    address = f"http://127.0.0.1:{team_server.port}"
    at(chromium, f"{address}/")
    chromium.run("document.querySelector('#token').focus()")
    chromium.keys(token)
    chromium.press("Enter", 13)
    home = f"{address}/p/{project}/"
    team.wait_for(lambda: chromium.run("location.href") == home)
    team.wait_for(lambda: chromium.run("document.querySelectorAll('#h-runs').length") == 1)
    assert chromium.run("document.title") == f"{project} · Foliot"
    assert chromium.run("document.querySelectorAll('main img').length") == 0
    assert MARKUP in chromium.run("document.querySelector('main').innerText")
    links = chromium.run("[...document.querySelectorAll('main a')].map(a => a.href)")
    assert len(links) > 8
    for link in links:
        at(chromium, link)
        assert chromium.run("document.title") != "owned"
        if "/logs/" not in link:
            assert project in chromium.run("document.body.innerHTML") or "/runs/" in link
    [history] = [link for link in links if "/history/" in link][1:]
    at(chromium, f"{history}?row=semaphore.take.0")
    assert chromium.run("document.querySelectorAll('figure circle').length") == 3
    cells = "[...document.querySelectorAll('tbody tr')].map(r => r.cells[3].innerText)"
    assert chromium.run(cells) == ["120", "110", "100"]
    newest = chromium.run("document.querySelector('form.inline a').href")
    at(chromium, newest)
    assert "History" in chromium.run("document.querySelector('nav').innerText")
    assert chromium.run("document.querySelectorAll('#history figure').length") >= 2
    chromium.run("document.querySelector('#theme').click()")  # the page's own script runs
    assert chromium.run("document.documentElement.dataset.theme") == "light"
    assert chromium.errors == []
    assert all(one.startswith((address, "data:")) for one in chromium.requests)


def test_a_bench_is_seen_while_it_runs_row_by_row(team_server, chromium, tmp_path, monkeypatch):
    monkeypatch.setattr(live, "ANSWER_S", 120.0)  # of a busy machine nothing is to get lost
    project, [token] = team_server.project("record")
    store, client = team_server.store(tmp_path, project, token)
    address = f"http://127.0.0.1:{team_server.port}"
    chromium.call("Network.clearBrowserCookies")  # the other test's session
    at(chromium, f"{address}/")
    chromium.run("document.querySelector('#token').focus()")
    chromium.keys(token)
    chromium.press("Enter", 13)

    def shown() -> str:
        return str(chromium.run("(document.querySelector('#live') ?? {}).innerText ?? ''"))

    team.wait_for(lambda: "Nothing is being measured" in shown())
    with Teller(find(store, "team"), MARKUP, "latency") as teller:
        progress = ToldProgress(teller, quiet=True)
        with progress.task("Building") as task:
            team.wait_for(lambda: "Building" in shown())
        with progress.task("Running latency") as task:
            task.update("starting", 0, 3)
            task.update("semaphore.take", 1, figure=104.0)
            team.wait_for(lambda: "1 of 3 rows" in shown() and "semaphore.take" in shown())
            task.update(MARKUP, 2, figure=77)
            team.wait_for(lambda: "2 of 3 rows" in shown() and "77" in shown())
            rows = "[...document.querySelectorAll('#live li')].map(r => r.innerText)"
            assert len(chromium.run(rows)) == 2
    team.wait_for(lambda: "ended: done" in shown())
    assert MARKUP in shown()
    assert chromium.run("document.querySelectorAll('#live img').length") == 0
    assert chromium.errors == []
    assert [one["ended"] for one in client.get_json("live")] == [True]


def test_a_bench_goes_on_where_nobody_listens(team_server, tmp_path):
    """The server is gone, or says no: what is measured is none of its business."""
    project, [token] = team_server.project("read")  # which may not record
    store, _ = team_server.store(tmp_path, project, token)
    with (
        Teller(find(store, "team"), "ibex", "latency") as teller,
        ToldProgress(teller, quiet=True).task("Running") as task,
    ):
        task.update("row", 1, 2, figure=1.0)
    assert list(documents.documents(store)) == []
