# SPDX-License-Identifier: Apache-2.0
"""Proofs: contracts of the kernel's functions, what proves them, and what is left."""
