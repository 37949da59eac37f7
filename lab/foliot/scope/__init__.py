# SPDX-License-Identifier: Apache-2.0
"""`foliot scope`: KernelPerf's test cases without an oscilloscope.

signals.py    recordings: from the simulator's VCD, a log's ring, anybody's VCD
analysis.py   what a recording shows: scheduler runs, activations, switches, jitter
expected.py   what each test case has to show
picture.py    the oscilloscope's screen as SVG and PNG
table.py      the figures beside the published ones
recorder.py   runs the suite on a board
results.py    pictures and figures of what was recorded
story.py      docs/periodic.md
"""
