# SPDX-License-Identifier: Apache-2.0
"""Whether a figure is to be trusted, what it really is, and whether it got worse."""
