# SPDX-License-Identifier: Apache-2.0
"""What was cut, kept by content: data/cuts.json, and build/bound/cuts.json beside it.

A cut bound belongs to what it rests on: each instruction and edge of the call's graph, how often
its loops may begin anew, and the modules that look for it. Where any of that is another it is
looked for anew. Both files hold what the tool itself found; `--cut --all` writes the first, of
the kernel's own image, and a test looks for some of it anew: what is kept wrongly is noticed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from foliot.bound import cut
from foliot.bound.cut import Cut
from foliot.model.errors import FoliotError
from foliot.target import paths

if TYPE_CHECKING:
    from foliot.bound.call import Call
    from foliot.bound.graph import Edge, Node

COMMITTED = paths.ROOT / "data" / "cuts.json"
LOCAL = paths.BUILD / "bound" / "cuts.json"
_MOST_PIECES = 300  # of code: of longer ways some hundred steps cut nothing
_MODULES = ("cut.py", "symbolic.py", "instructions.py", "ibex.py", "flow.py", "call.py")


def without_impossible(call: Call, end: str, parameters: Mapping[str, int]) -> int:
    """Return a call's bound to an end with impossible paths cut, as it is kept or found now."""
    if len(call.graph.edges) > _MOST_PIECES:
        return call.bound(end, parameters).clocks
    name = key(call, end, parameters)
    for kept in (_read(COMMITTED), _read(LOCAL)):
        if name in kept:
            return kept[name].clocks
    found = cut.in_worlds(call, end, parameters)
    with paths.locked(LOCAL):
        kept = _read(LOCAL)
        kept[name] = found
        _write(LOCAL, kept)
    return found.clocks


def commit(names: set[str]) -> None:
    """Keep what is asked for among what is committed, and nothing else."""
    kept = {**_read(LOCAL), **_read(COMMITTED)}
    _write(COMMITTED, {one: kept[one] for one in sorted(names) if one in kept})


def key(call: Call, end: str, parameters: Mapping[str, int]) -> str:
    """Return what a cut is known by: the call's name and end, and the content it rests on."""
    content = hashlib.sha256(_version())
    for line in _content(call, parameters):
        content.update(line.encode())
    return f"{call.name} {end} {content.hexdigest()[:24]}"


def known(call: Call, end: str, parameters: Mapping[str, int]) -> set[str]:
    """Return what a call's cut is known by; nothing where it is not looked for."""
    return set() if len(call.graph.edges) > _MOST_PIECES else {key(call, end, parameters)}


def committed() -> Mapping[str, Cut]:
    """Return what is committed; FoliotError where that can't be read."""
    return _read(COMMITTED)


def _content(call: Call, parameters: Mapping[str, int]) -> Iterator[str]:
    nodes = sorted(call.graph.edges, key=lambda node: (node.pc, node.stack))
    number = {node: i for i, node in enumerate(nodes)}
    gp = call.program.image.label("__global_pointer$")
    yield f"{call.first} {gp} {number[call.graph.entry]}\n"
    for node in nodes:
        for pc, what in call.graph.piece(node.pc):
            yield f"{pc} {what}\n"
        for edge in call.graph.edges[node]:
            yield f"{edge.clocks} {number.get(edge.target, edge.target.end)}\n"
    told = []
    for bound in call.bounds:
        for limit in call.limits(bound, parameters):
            edges = [
                " ".join(sorted(_told(edge, number) for edge in each))
                for each in (limit.again, limit.entries, limit.above)
            ]
            told.append(f"{edges} {limit.most} {limit.is_first} {limit.taken_away}\n")
    yield from sorted(told)
    without = call.not_taken(parameters)
    every = [edge for each in call.graph.edges.values() for edge in each]
    for each in (without, *call.worlds):
        yield f"never {sorted(_told(edge, number) for edge in every if id(edge) in each)}\n"


def _told(edge: Edge, number: Mapping[Node, int]) -> str:
    return f"{number.get(edge.source)}>{number.get(edge.target, edge.target.end)}"


@cache
def _version() -> bytes:
    here = Path(__file__).parent
    return b"".join((here / name).read_bytes() for name in _MODULES)


def _read(path: Path) -> dict[str, Cut]:
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        return {
            name: Cut(int(each[0]), int(each[1]), int(each[2]), bool(each[3]))
            for name, each in told.items()
        }
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError, IndexError, AttributeError) as error:
        raise FoliotError(f"{path} is no file of kept cuts: {error}") from None


def _write(path: Path, kept: Mapping[str, Cut]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = (
        f"{json.dumps(name)}: {json.dumps([one.clocks, one.cuts, one.steps, one.is_exact])}"
        for name, one in sorted(kept.items())
    )
    made = path.with_suffix(".new")
    made.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    made.replace(path)
