# SPDX-License-Identifier: Apache-2.0
"""What everybody speaks of: a run and its parts, how they are kept, errors, names, arithmetic.

Imports no other room.
"""
