# SPDX-License-Identifier: Apache-2.0
"""`python -m foliot`."""

from foliot.cli import main

main()
