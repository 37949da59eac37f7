# SPDX-License-Identifier: Apache-2.0
"""`foliot trace`: what the kernel did, of an image in which nothing was changed for it.

events.py     what is recorded: events, threads, objects
cores.py      what a stop shows of a core's registers, by architecture
watched.py    an image's addresses that are stopped at, and where in memory the kernel's state lies
memory.py     what was read at a stop
follow.py     from one stop to the next: the events that lie between
printed.py    what came of an image's own ring of events
stream.py     ... as it is sent while the program runs (CONFIG_TRACE_STREAM)
ring.py       ... as it is printed at the end (CONFIG_TRACE_RING); what it tells
recorder.py   starts the machine, stops it at those addresses, ends it
timeline.py   what each thread was at, and since when
answers.py    the questions: shares, waits, interrupts, mutexes
show.py       the answers as text
perfetto.py   the recording for ui.perfetto.dev
ctf.py        the recording for babeltrace2 and Trace Compass
"""
