# SPDX-License-Identifier: Apache-2.0
"""Fixtures for all tests, a file a subject; loaded by tests/conftest.py."""
