# SPDX-License-Identifier: Apache-2.0
"""Whatever happens to a page on its way: each row is right, refused, or doubted."""

from __future__ import annotations

from collections import Counter

import pytest
from corrupted import generate
from judge_reading import complaints, read

GOOD = 60
HARMED = 120
CAMPAIGN = 10_000


def campaign(seeds, harm):
    """Return the complaints about pages, and how many rows came out how."""
    count: Counter[str] = Counter()
    found = []
    for seed in seeds:
        page = generate(seed, harm)
        found += [f"seed {seed} {page.done}: {one}" for one in complaints(page, count)]
    return found, count


def doubts_of_good_pages(seeds):
    found = []
    for seed in seeds:
        page = generate(seed, harm=False)
        runs, reader = read(page)
        found += [f"seed {seed} {page.done}: {doubt}" for run in runs for doubt in run.doubts]
        found += [f"seed {seed} {page.done}: {one}" for one in [*reader.refused, *reader.notes]]
    return found


def check(good, harmed):
    found, count = campaign(good, harm=False)
    assert not found, found[:5]
    assert count["right"] == count["undamaged"] > 0
    doubts = doubts_of_good_pages(good)
    assert not doubts, doubts[:5]
    found, count = campaign(harmed, harm=True)
    assert not found, found[:5]
    assert count["undamaged and right"] >= 0.95 * count["undamaged"] > 0


@pytest.mark.slow
def test_no_figure_is_lost_in_silence_or_wrong():
    check(range(GOOD), range(HARMED))


@pytest.mark.long
def test_no_figure_is_lost_in_silence_or_wrong_in_ten_thousand_pages():
    check(range(CAMPAIGN // 5), range(CAMPAIGN // 5, CAMPAIGN))
