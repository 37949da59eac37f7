# SPDX-License-Identifier: Apache-2.0
"""A measurement: an image is run or a port listened to, and a run comes of it.

session.py is what every command that measures goes through.
"""
