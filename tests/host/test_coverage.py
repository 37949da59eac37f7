# SPDX-License-Identifier: Apache-2.0
"""No branch of the kernel is taken no longer: coverage_of_branches.py, held against untaken.txt."""

from __future__ import annotations

import coverage_of_branches as coverage
import pytest


@pytest.fixture(scope="module")
def counts():
    return coverage.measure(lambda text: None)


@pytest.mark.long
@pytest.mark.board("host")
@pytest.mark.needs("coverage")
def test_no_branch_is_taken_no_longer(counts):
    found, known = coverage.by_function(counts.untaken()), coverage.listed()
    more = {name for name, count in found.items() if count > known.get(name, 0)}
    assert not more, "\n".join(coverage.show(counts.untaken(), more))
    fewer = [name for name, count in known.items() if found.get(name, 0) < count]
    assert not fewer, f"tests/host/coverage_of_branches.py --update: {fewer}"
