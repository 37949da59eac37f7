# SPDX-License-Identifier: Apache-2.0
"""The commands, one a file: its options, and what it prints.

Each file has a `command`, which the command line finds by the file's name, in the list of
cli.py. Nobody imports from here but tests; options.py holds the options that commands share.
"""
