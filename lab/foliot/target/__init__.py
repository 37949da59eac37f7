# SPDX-License-Identifier: Apache-2.0
"""Getting a firmware to run: boards, configuring, building, installing, machines, running.

Also paths.py, where everything is, and process.py, by which every tool is started.
"""
