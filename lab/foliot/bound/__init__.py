# SPDX-License-Identifier: Apache-2.0
"""`foliot bound`: what a call can cost at most, in cycles, out of the linked image.

An instruction is read (instructions.py), a core's table says what one takes behind another
(ibex.py), and all that a call may run is one graph (image.py, graph.py). Each loop in it has the
bound that its source states (facts.py, loops.py), and the costliest flow through the graph is
the bound (flow.py, call.py). check.py holds the table and the bounds against what the RTL did.
"""
