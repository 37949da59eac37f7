# SPDX-License-Identifier: Apache-2.0
"""Runs side by side: ratios and means, the table, the overview of boards."""
