# SPDX-License-Identifier: Apache-2.0
"""docs/options.md: who asks for each option of the kernel."""

from __future__ import annotations

from foliot.project import askers
from foliot.target import paths

# Options that only tests ask for; Zephyr's among them (docs/options.md). The number only shrinks.
WITHOUT_USER = 45
HOW = "PYTHONPATH=lab .venv/bin/python -m foliot.project.askers makes the page anew"


def test_each_option_is_asked_for_by_somebody():
    every = askers.asked()
    assert len(every) > 80
    silent = [one for one, who in every.items() if not any(who.get(kind) for kind in askers.KINDS)]
    assert silent == []


def test_options_without_a_user_become_fewer():
    found = askers.tests_alone()
    assert len(found) <= WITHOUT_USER, found
    assert "USERSPACE" not in found, "the samples ask for it"
    assert "MASKED_STEPS" in found, "a fragment of tests alone has it"


def test_the_page_is_as_the_tree_is():
    page = (paths.ROOT / askers.PAGE).read_text(encoding="utf-8")
    assert "\n".join(askers.lines()) in page, HOW
