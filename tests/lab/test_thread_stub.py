# SPDX-License-Identifier: Apache-2.0
"""What stands between gdb and a stub: packets in pieces, what it answers, what goes through.

With gdb itself, on boards: test_debug.py.
"""

from __future__ import annotations

import socket
import threading

import pytest

from foliot.target import debugger, thread_stub
from foliot.target.thread_stub import OWN, Answers, Packets, packet

MAIN, OTHER = b"6d61696e", b"6f74686572"
SAYS = {b"g": b"0" * 24, b"vCont;c": b"S05", b"m0,4": b"00000000"}


@pytest.fixture
def answers():
    """Answers to a gdb that told of two threads: the one that runs, and number 2."""
    made = Answers(size=24)
    for line in (b":begin", b":1:" + MAIN + b":", b":2:" + OTHER + b":4=aabbccdd,8=01020304",
                 b":end"):  # fmt: skip
        assert made.to(OWN + line) == b"OK"
    return made


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_packets_in_pieces(size):
    data = b"+$m0,4#fd\x03%Stop:T05#00-$X0,2:$}\x03#aa++$c#63"
    taken = Packets()
    found = [
        whole for at in range(0, len(data), size) for whole in taken.feed(data[at : at + size])
    ]
    assert found == [b"$m0,4#fd", b"\x03", b"%Stop:T05#00", b"$X0,2:$}\x03#aa", b"$c#63"]


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        (b"qfThreadInfo", b"m1,2"), (b"qsThreadInfo", b"l"), (b"qThreadExtraInfo,1", MAIN),
        (b"qThreadExtraInfo,2", OTHER), (b"qThreadExtraInfo,3", None), (b"T2", b"OK"),
        (b"T1", None), (b"T9", None), (b"Hg1", None), (b"Hg-1", None), (b"Hg2", b"OK"),
        (b"g", None), (b"m0,4", None), (b"vCont;c", None), (b"vCont;s:1;c", None),
        (b"vCont;s:2;c", b"E01"), (b"Hc2", b"E01"), (b"Hc1", None), (b"Hc-1", None),
        (OWN, b"OK"), (OWN + b":x", b"E01"), (OWN + b":zz:1:2=3", b"E01"),
        (OWN + b":1:2:3", b"E01"), (OWN + b":1:2:3=4:5", b"E01"), (b"", None),
    ],
)  # fmt: skip
def test_what_is_answered_here_and_what_is_the_stubs(answers, asked, answer):
    assert answers.to(asked) == answer


def test_registers_of_a_thread_are_there_while_it_is_chosen(answers):
    assert answers.to(b"Hg2") == b"OK"
    assert answers.to(b"g") == b"xxxxxxxxaabbccdd01020304"
    assert answers.to(b"p1f") == b"xxxxxxxx"
    assert answers.to(b"G00") == answers.to(b"P1=00") == b"E01"
    assert answers.to(b"m0,4") is None
    assert answers.to(b"Hg1") is None
    assert answers.to(b"g") is None


def test_what_is_longer_than_the_stubs_registers_is_left_out(answers):
    answers.size = 20
    answers.to(b"Hg2")
    assert answers.to(b"g") == b"xxxxxxxxaabbccddxxxx"
    answers.size = 0
    assert answers.to(b"g") == b"E01"


def test_a_new_list_takes_the_place_of_the_old_one_at_its_end(answers):
    answers.to(OWN + b":begin")
    assert answers.to(b"qfThreadInfo") == b"m1,2"
    answers.to(OWN + b":end")
    assert answers.to(b"qfThreadInfo") == b"m1"
    assert answers.to(b"qThreadExtraInfo,1") is None


class Stub:
    """A stub that answers what it is told to, to one gdb after another."""

    def __init__(self):
        self.heard, self.server = [], socket.create_server(("127.0.0.1", 0))
        self.port = self.server.getsockname()[1]
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        while True:
            try:
                gdb, _ = self.server.accept()
            except OSError:
                return
            with gdb:
                taken = Packets()
                while data := gdb.recv(4096):
                    for whole in taken.feed(data):
                        self.heard.append(whole)
                        if whole == packet(b"k"):
                            gdb.close()
                            break
                        gdb.sendall(b"+" + packet(self.answer(whole[1:-3])))
                    else:
                        continue
                    break

    def answer(self, body):
        return b"PacketSize=100;multiprocess+" if body[:10] == b"qSupported" else SAYS[body]


@pytest.fixture
def between():
    stub, port = Stub(), debugger.free_port()
    with thread_stub.between(port, stub.port):
        yield stub, port
    stub.server.shutdown(socket.SHUT_RDWR)
    stub.server.close()
    stub.thread.join(timeout=10)


def gdb_at(port):
    made = socket.create_connection(("127.0.0.1", port), timeout=10)
    taken, waiting = Packets(), []

    def ask(body):
        made.sendall(packet(body))
        while not waiting:
            data = made.recv(4096)
            assert data, "closed"
            waiting.extend(taken.feed(data))
        return waiting.pop(0)[1:-3]

    return made, ask


def test_a_session_through_it_and_another(between):
    stub, port = between
    for _ in range(2):
        gdb, ask = gdb_at(port)
        with gdb:
            assert ask(b"qSupported:multiprocess+;swbreak+") == b"PacketSize=100;multiprocess-"
            assert stub.heard[-1] == packet(b"qSupported:multiprocess-;swbreak+")
            assert ask(b"QStartNoAckMode") == b"OK"
            assert ask(b"g") == b"0" * 24
            assert ask(b"vCont;c") == b"T05thread:1;"
            ask(OWN + b":begin")
            ask(OWN + b":5:" + OTHER + b":0=11111111")
            ask(OWN + b":end")
            assert ask(b"qfThreadInfo") == b"m1,5"
            assert ask(b"Hg5") == b"OK"
            assert ask(b"g") == b"11111111" + b"x" * 16
            assert ask(b"m0,4") == b"00000000"
    assert not any(OWN in whole for whole in stub.heard)


def test_where_the_stub_goes_gdb_is_told_by_the_end(between):
    gdb, ask = gdb_at(between[1])
    with gdb:
        assert ask(b"g") == b"0" * 24
        gdb.sendall(packet(b"k"))
        while data := gdb.recv(4096):
            assert set(data) <= set(b"+")
