# SPDX-License-Identifier: Apache-2.0
"""The record of runs: the database, writing to it, and the words by which runs are named."""
