# SPDX-License-Identifier: Apache-2.0
"""Foliot's laboratory: builds, runs, measures; knows the firmware by its output and ELF only."""

__version__ = "0.1.0"
