# SPDX-License-Identifier: Apache-2.0
"""Boards that are on somebody else's desk, by labgrid: places that are taken in turns.

labgrid brings a pyserial of its own, so it lies in an environment of its own, and its client is
called as a process (client.py). A place is waited for, taken, and given back (place.py).
"""
