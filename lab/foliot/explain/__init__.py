# SPDX-License-Identifier: Apache-2.0
"""`foliot explain`: where each cycle of one sample went.

The suite is built so that it prints where its samples stand in time, and run under the
simulator's instruction trace (trace.py); one sample is cut out of that (sample.py), its
instructions are read out of the image (code.py), what they waited for is named (waits.py),
and all of it is shown, by itself (show.py) or beside another build's (difference.py).
"""
