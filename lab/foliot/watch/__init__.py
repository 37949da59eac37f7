# SPDX-License-Identifier: Apache-2.0
"""`foliot watch`: a running program's threads, as `top` shows them.

samples.py     what was seen at one moment, and the shares of the CPU between two
machine.py   looks at a simulated board: through gdb, which reads memory; the image is unchanged
reports.py   samples out of what a board prints by itself (CONFIG_KERNEL_REPORT_MS)
show.py      a sample as text
"""
