# SPDX-License-Identifier: Apache-2.0
"""`foliot build`: make the firmware; say where it is and what it weighs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from foliot.commands.options import BoardOption, ConfOption, QuietOption, SamplesOption, words
from foliot.image.footprint import footprint
from foliot.show.table import footprint_lines
from foliot.show.terminal import Progress
from foliot.target import boards, paths, provision
from foliot.target import build as building


def command(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="An application.")],
    board: BoardOption = None,
    conf: ConfOption = None,
    samples: SamplesOption = None,
    quiet: QuietOption = False,
) -> None:
    """Build an application; say what it weighs."""
    machine = boards.load(board or boards.default())
    building.application(directory, words(conf))
    progress = Progress(quiet)
    provision.prepare(machine, progress, to_run=False)
    firmware = building.build(directory, machine, progress, words(conf), samples)
    print(paths.shown(firmware.elf))
    if not quiet:
        for line in footprint_lines(footprint(firmware.elf, firmware.map)):
            print(line)
