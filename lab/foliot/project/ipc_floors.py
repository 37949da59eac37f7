# SPDX-License-Identifier: Apache-2.0
"""Messages beside the floor of what they pass through: a call, a thread's and a domain's switch.

`generated: floors BOARD ipc`. One way holds the way in of one call and the way out of another,
which is one call; between two domains all regions are another's, inside one only the stack's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from foliot.model.run import Run

CALL, SWITCH = "syscall.null.user", "thread.yield.preemptive.ctx.k_to_k"
REGIONS = {"intra": "domain.switch.stack.kernel", "inter": "domain.switch.all.kernel"}
TITLES = ("row", "p50", "system call", "thread switch", "regions", "together", "times")
_ONE_WAY = ("ipc.call.", "ipc.reply.", "ipc.mean.")


def lines(run: Run, floor: Mapping[str, float]) -> Iterator[Sequence[object]]:
    """Yield a line for each row of one way between two user threads."""
    for row in run.rows:
        where = next((one for one in REGIONS if f".{one}" in row.id), None)
        if where is None or not row.id.startswith(_ONE_WAY):
            continue
        parts = [floor[name] for name in (CALL, SWITCH, REGIONS[where])]
        yield (f"`{row.id}`", row.p50, *(f"{part:g}" for part in parts), f"{sum(parts):g}",
               f"{row.p50 / sum(parts):.2f}")  # fmt: skip
