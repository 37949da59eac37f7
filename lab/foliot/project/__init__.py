# SPDX-License-Identifier: Apache-2.0
"""What keeps the repository itself: its tests and style, its tables, its reference."""
