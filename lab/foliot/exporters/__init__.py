# SPDX-License-Identifier: Apache-2.0
"""Runs in the forms that other tools take."""
