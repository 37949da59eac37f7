# SPDX-License-Identifier: Apache-2.0
"""The files of data/reference/: other systems' figures as runs, and the rows there are."""
