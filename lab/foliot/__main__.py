# SPDX-License-Identifier: Apache-2.0
"""`python -m foliot`."""

from foliot import whole

with whole.environment():
    from foliot.cli import main

    main()
