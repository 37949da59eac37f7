# SPDX-License-Identifier: Apache-2.0
"""The store's other end: servers that are known here, and what is sent there and fetched.

It needs nothing but Python's own library.
"""
