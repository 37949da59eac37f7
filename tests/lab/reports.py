# SPDX-License-Identifier: Apache-2.0
"""Runs to make reports of, and the reports."""

from __future__ import annotations

import random
from dataclasses import replace

import logs
from foliot.judge.doubts import examine_saved
from foliot.log.reader import parse
from foliot.model.run import Reference, Run
from foliot.report import content
from foliot.report import page as whole
from foliot.store.selection import Chosen
from foliot.store.sqlite import Kept

WORDS = ["zephyr-4.3@*", "zephyr-3.3@ibex", "zephyr-3.3-userspace@ibex", "zephyr-3.3@mps2_an385",
         "chibios@mps2_an385", "l4re@n100"]  # fmt: skip


def measured(seed: int = 0, count: int = 8, **header: object) -> Run:
    """Make a run of our own, with distributions, floors and a reference."""
    ids = [f"semaphore.take.{i}" for i in range(count - 4)] + [f"fifo.get.{i}" for i in range(4)]
    records = [
        logs.row(row_id, [100 + seed + i] * 90 + [101 + i + seed + j * j for j in range(i + 1)],
                 f"Take {i} of them")
        for i, row_id in enumerate(ids)
    ]  # fmt: skip
    run = parse(logs.log(records, header={**logs.HEADER, **header}))
    return run.with_rows(
        [replace(row, floor=60.0, reference=Reference("Zephyr", 250.0)) for row in run.rows]
    )


def scattering(name: str, count: int, shift: int = 0, rows: int = 12) -> list[Chosen]:
    """Make what `bench --repeat` records of a board that scatters by a cycle or two."""
    generator = random.Random(name)
    made = []
    for number in range(1, count + 1):
        records = [
            logs.row(f"semaphore.take.{place}", [100 + 9 * place + shift + generator.randint(-2, 2)
                                                 for _ in range(120)])
            for place in range(rows)
        ]  # fmt: skip
        header = {**logs.HEADER, "board": "nucleo_f401re", "core": "Cortex-M4F"}
        run = examine_saved(parse(logs.log(records, header=header)))
        made.append(Chosen(f"{name}/{number}", run, kept(f"{name}/{number}", name)))
    return made


def kept(name: str, document: str) -> Kept:
    """Make what the store knows of a run that `bench` recorded."""
    return Kept(
        seq=1, id=f"{document}-{name}", document=document, name=name, suite="latency",
        board="nucleo_f401re", unit="cycles", kernel="Foliot", version="",
        configuration=("default",), row_count=12, recorded="2026-11-23T13:00:00Z",
        kind="bench", source="port", log_sha256="",
    )  # fmt: skip


def chosen(*runs: Run) -> list[Chosen]:
    return [Chosen(f"run-{i}", run) for i, run in enumerate(runs)]


def page(runs: list[Chosen]) -> str:
    subjects = content.subjects(runs)
    groups = content.groups(subjects)
    return whole.render(subjects, groups, list(whole.charts_of(groups, subjects)))
