# SPDX-License-Identifier: Apache-2.0
"""`foliot flash`: an application on to a device, or what to copy where."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated

import typer

from foliot.commands import offers
from foliot.commands.options import ConfOption, QuietOption, words
from foliot.model.errors import FoliotError, UsageError
from foliot.show.terminal import Progress
from foliot.target import boards, drives, flashing, paths, provision
from foliot.target import build as building


def command(
    board: Annotated[
        str, typer.Argument(metavar="BOARD", autocompletion=offers.board, help="A device.")
    ],
    directory: Annotated[
        Path | None, typer.Argument(metavar="[DIR]", help="The latency suite.", show_default=False)
    ] = None,
    conf: ConfOption = None,
    quiet: QuietOption = False,
) -> None:
    """Put an application on a device, or say what to copy where."""
    device = boards.load(board)
    card = [str(name) for name in device.run.get("card", ())]
    if device.kind != "device" and not card:
        raise UsageError(
            f"{board} is no device: nothing is flashed there", f"./foliot run DIR --board {board}"
        )
    app = building.application(directory or paths.SUITES / "latency", words(conf))
    progress = Progress(quiet)
    provision.prepare(device, progress, to_run=False)
    firmware = building.build(app, device, progress, words(conf))
    if card:
        print("beside the firmware's own files, to the card's first partition (FAT), copy")
        for name in card:
            made = firmware.elf.with_name(name)
            print(f"  {paths.shown(made if made.is_file() else device.directory / name)}")
        print("tried in QEMU only")
        return
    image = flashing.make_image(device, firmware.elf, progress)
    listen = f"then: ./foliot bench --board {board} --port TTY"
    label = str(device.run.get("drive", ""))
    drive = drives.find(label) if label else None
    if drive is None:
        for line in _by_hand(device, label, paths.shown(image)):
            print(line)
        print(listen)
        return
    try:
        shutil.copy(image, drive)
    except OSError as error:
        raise FoliotError(f"{drive}: {error.strerror}: is it another board's drive?") from None
    print(f"{paths.shown(image)} is on {drive}; {listen}")


def _by_hand(device: boards.Board, label: str, image: str) -> list[str]:
    """Say what a person does where no drive of the board's is there."""
    run = device.run
    console = f"Console: {run['console']};"
    if not label:
        return [f"{device.name} has no drive to copy to: {run['by']}", f"  {image}", console]
    first = f"{run['before']}, then" if "before" in run else "plug the board in, and"
    return [f"no drive {label} is there: {first} copy", f"  {image}", f"to it. {console}"]
