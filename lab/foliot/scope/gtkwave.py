# SPDX-License-Identifier: Apache-2.0
"""A save file for GTKWave beside a VCD: `gtkwave case-0.gtkw` opens both.

Signals in KernelPerf's order and colours, markers where something was measured.
"""

from __future__ import annotations

import math
from pathlib import Path

from foliot.scope.analysis import Analysis
from foliot.scope.picture import representative
from foliot.scope.signals import Recording
from foliot.scope.vcd import STEPS, signals_in_order

_COLOURS = {
    "thread_any": "yellow", "scheduler": "red", "queueing": "blue", "thread_0": "green",
    "isr": "orange",
}  # fmt: skip
_OTHERS = "indigo"
_WIDTH = 1000  # pixels, about, in which GTKWave shows the waves


def write(recording: Recording, analysis: Analysis, path: Path) -> None:
    """Write the save file of the VCD of the same name in the same directory."""
    from vcd.gtkw import GTKWColor, GTKWSave

    step = STEPS[recording.unit]
    factor = int(step.timescale.split()[0])  # GTKWave counts in what the timescale is a multiple of
    run = analysis.full_run
    switch = representative(analysis)
    with path.open("w", encoding="utf-8") as out:
        save = GTKWSave(out)
        save.comment(step.comment)
        save.comment("markers: A, B scheduler" + ("; C, D gap of a switch" if switch else ""))
        save.dumpfile(path.with_suffix(".vcd").name, abspath=False)
        save.timestart(0)
        places = {"a": run.pulse.start, "b": run.pulse.end}
        if switch is not None:
            places |= {"c": switch.start, "d": switch.end}
        markers = {name: time * factor for name, time in places.items()}
        steps = max(1, recording.end * factor)
        save.zoom_markers(-math.log2(max(1, steps / _WIDTH)), -1, **markers)  # type: ignore[arg-type]
        save.signals_width(120)
        for name in signals_in_order(recording):
            colour = GTKWColor[_COLOURS.get(name, _OTHERS)]
            save.trace(f"{step.scope}.{name}", color=colour, datafmt="bin")
