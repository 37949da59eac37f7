# SPDX-License-Identifier: Apache-2.0
"""Reading other people's results, whole pages and logs as they have them.

The format is found by content. Text is read once, line by line, in bounded memory: every
reader sees the lines that may be its own, and the rest is counted and forgotten. A file
that is one JSON value or one table is read whole. What is not a row is skipped and
counted; a file without a row is an error that says which formats were tried.
"""
