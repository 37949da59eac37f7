# SPDX-License-Identifier: Apache-2.0
"""The second UART: FIFO, baud rate, interrupt, and what comes out of it."""

FULL, EMPTY, BUSY, OVERRUN = 1, 2, 4, 8
CLOCKS_PER_BYTE = 10 * 40
FAST14 = 1 << 30


def count(status):
    return status >> 8


def test_uart2(passes, tmp_path):
    sent = tmp_path / "sent"
    run = passes("uart2", "--uart2", sent)
    (idle,), (queued, sending), (offered, cleared), times, (after,) = run.numbers
    assert idle == EMPTY
    assert (queued, count(queued)) == (BUSY | 1 << 8, 1)
    assert sending == BUSY | EMPTY
    assert (offered & 0xFF, count(offered)) == (FULL | BUSY | OVERRUN, 32)
    assert (cleared & 0xFF, count(cleared)) == (FULL | BUSY, 32)
    empty, silent, mip = times
    # The first byte is on the wire two clocks behind its store, the last of 33 leaves the FIFO
    # after 32 others; the program sees either a few clocks later (the polling loop).
    assert 0 <= empty - (32 * CLOCKS_PER_BYTE + 2) <= 12
    assert 0 <= silent - (33 * CLOCKS_PER_BYTE + 2) <= 12
    assert mip == FAST14
    assert after == EMPTY
    assert sent.read_bytes() == bytes(range(ord("A"), ord("A") + 33))
