# SPDX-License-Identifier: Apache-2.0
"""Campaigns: many programs to be run, here or on a cluster, whose results are the same everywhere.

A job (jobs.py) is a command and the files that it needs, by content; what it comes to is its exit
status and what it printed. An executor runs jobs: on this machine's cores (here.py), or on the
workers of a Dask scheduler (cluster.py), which need neither this repository nor a compiler. run.py
goes through them, and keeps what has come, so that a campaign that was cut off goes on (saved.py).
"""
