# SPDX-License-Identifier: Apache-2.0
"""`foliot scope`: KernelPerf's test cases without an oscilloscope.

signals.py    recordings: signals over time; from a log's ring
vcd.py        recordings as files: our own, and anybody's
gtkwave.py    a save file beside ours: colours, markers
grid.py       the tick, and which of the scheduler's runs are releases
switches.py   the gaps between two threads
analysis.py   what a recording shows: scheduler runs, ticks, activations, shares
jitter.py     how far ticks that are alike lie apart
expected.py   what each test case has to show
screen.py     what an oscilloscope's screen is made of
picture.py    the pictures, to one scale, as SVG and PNG
table.py      the figures beside the published ones
recorder.py   runs the suite on a board
results.py    pictures and figures of what was recorded
capture.py    a capture of a board on a desk
story.py      docs/periodic.md
"""
