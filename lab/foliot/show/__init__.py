# SPDX-License-Identifier: Apache-2.0
"""The screen, and where results go: progress, the console, tables of runs, files and stdout."""
