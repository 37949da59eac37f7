# SPDX-License-Identifier: Apache-2.0
"""ccache, where this machine has it: the kernel is compiled once for each set of its options.

Each application has the kernel compiled into a directory of its own, most with the same options
on the same board: the second one's objects are the first one's, byte by byte. Only those of the
kernel, the library and the port are looked up; an application's own are made anew, since a header
that appears in front of another on its path is noticed by no cache. Of the repository's headers
the names are part of each key, so that there a new one is noticed.

An object is found by what was read to make it (ccache's depend mode), and not by running the
preprocessor first: that costs a quarter of a compilation, and most of the objects that it would
find besides differ in their debug information. Not so the library's, most of which ask for no
option (CMakeLists.txt). It is kept in build/, beside what is made of it.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping

from foliot.target import paths

PROGRAM = "ccache"
_HEADERS = ("arch", "boards", "drivers", "include", "kernel", "lib")
_MOST = "1G"


def words() -> list[str]:
    """Return what CMake is told of it: nothing where it is not installed."""
    found = shutil.which(PROGRAM)
    return [f"-DFOLIOT_CACHE={found}"] if found else []


def environment() -> Mapping[str, str]:
    """Return what the compilers are started with; writes the names of the headers."""
    if not shutil.which(PROGRAM):
        return {}
    place = paths.BUILD / PROGRAM
    names = place / "headers.txt"
    found = sorted(
        str(path.relative_to(paths.ROOT))
        for room in _HEADERS
        for path in (paths.ROOT / room).rglob("*.h")
    )
    paths.write_if_changed(names, "\n".join(found) + "\n")
    return {
        "CCACHE_DIR": str(place),
        "CCACHE_EXTRAFILES": str(names),
        "CCACHE_DEPEND": "1",
        "CCACHE_NOHASHDIR": "1",  # no object says where it was made: cmake/flags.cmake
        "CCACHE_MAXSIZE": _MOST,
        "CCACHE_SLOPPINESS": "",  # whatever their user thinks good enough elsewhere
        "CCACHE_BASEDIR": "",
    }
