# SPDX-License-Identifier: Apache-2.0
"""A team's server: its database, who may do what, the HTTP API and the pages.

All that it stands on beside the lab is in lab/requirements-team.txt; nothing else imports it.
"""
