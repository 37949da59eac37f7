# SPDX-License-Identifier: Apache-2.0
"""`foliot docs --api`: the API reference, by Doxygen out of the comments in the headers.

Doxygen because it knows C and every editor knows its comments; what it is told is in
docs/Doxyfile. The pages are made things, so they are in build/ and not in the repository.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from foliot.model.errors import FoliotError
from foliot.show.terminal import Progress
from foliot.target import paths, process, provision

_SETTINGS = Path("docs") / "Doxyfile"
_LIMIT_S = 120


def update(quiet: bool) -> int:
    """Make the reference in build/api and say where it begins; return the exit status, 0."""
    progress = Progress(quiet)
    provision.install(provision.API_PACKAGES, progress)
    directory = paths.BUILD / "api"
    with paths.locked(directory), progress.task("Making the API reference with Doxygen"):
        shutil.rmtree(directory, ignore_errors=True)  # pages of headers that are gone
        pages = make(directory)
    print(paths.shown(pages))
    return 0


def make(directory: Path, headers: Sequence[Path] = ()) -> Path:
    """Make HTML and XML in `directory` of those headers (default: all); return the first page.

    Raises FoliotError with what Doxygen objects to, a reference to something that is not
    there for instance.
    """
    directory.mkdir(parents=True, exist_ok=True)
    settings = [(paths.ROOT / _SETTINGS).read_text(encoding="utf-8")]
    settings.append(f'OUTPUT_DIRECTORY = "{directory}"')
    if headers:
        settings.append(f"INPUT = {' '.join(str(path) for path in headers)}")
    config = directory / "Doxyfile"
    config.write_text("\n".join(settings) + "\n", encoding="utf-8")
    said = process.run(["doxygen", str(config)], "doxygen", directory=paths.ROOT, limit_s=_LIMIT_S)
    if said:
        raise FoliotError("the API reference is not right", lines=said[:20])
    return directory / "html" / "index.html"
