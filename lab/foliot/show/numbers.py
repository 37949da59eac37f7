# SPDX-License-Identifier: Apache-2.0
"""Figures as text."""

from __future__ import annotations


def figure(value: float) -> str:
    """Return a figure with as many digits as it is worth."""
    if value == int(value) and abs(value) < 1e9:
        return str(int(value))
    if abs(value) < 10:
        return f"{value:.3f}"
    return f"{value:.1f}" if abs(value) < 1e5 else f"{value:.0f}"
