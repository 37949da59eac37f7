# SPDX-License-Identifier: Apache-2.0
"""An interrupt at every cycle or instruction of each row of a suite (`foliot sweep`).

The suite is built once with CONFIG_MEASURE_SWEEP (suites/measure/sweep.c). What an image is to do
stands in a structure in it, which is written into copies (plan.py): one is traced without any
interrupt, for the path of each row, the others are shares of the rows, run wide (wide.py). What
they print is held against the path (judged.py), and shown (show.py).
"""
