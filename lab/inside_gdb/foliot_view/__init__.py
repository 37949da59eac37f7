# SPDX-License-Identifier: Apache-2.0
"""What gdb shows of a program with Foliot's kernel. Runs inside of gdb, with what that has."""
