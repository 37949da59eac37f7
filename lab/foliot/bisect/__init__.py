# SPDX-License-Identifier: Apache-2.0
"""`foliot bisect`: the commit that changed a row.

Which commits are left and which one halves them is git's (commits.py); a commit is built and run
unless what its image is made of was (tries.py); which side its figures are on is sides.py's, and
search.py goes on until one is left, or none that can be tried.
"""
