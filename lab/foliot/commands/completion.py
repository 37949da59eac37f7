# SPDX-License-Identifier: Apache-2.0
"""`foliot completion`: what lets a shell complete our command lines.

typer writes the script and answers it. Two things of it don't fit a program that is started as
`./foliot`: zsh and fish would call a `foliot` on the PATH, and bash takes `zephyr-3.3@ibex`
for three words.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer
from typer._completion_shared import get_completion_script

from foliot.commands import offers
from foliot.model.errors import UsageError, unknown
from foliot.target import paths

SHELLS = ("bash", "zsh", "fish")
VARIABLE = "_FOLIOT_COMPLETE"  # by which the script asks cli.py
_WHOLE_WORDS = "COMP_WORDBREAKS=${COMP_WORDBREAKS//[@=:]}"


def command(
    shell: Annotated[
        str,
        typer.Argument(
            metavar="[SHELL]",
            help="bash, zsh or fish.",
            show_default=False,
            autocompletion=offers.of(*SHELLS),
        ),
    ] = "",
) -> None:
    """Print what lets a shell complete our command lines."""
    wanted = shell or Path(os.environ.get("SHELL", "bash")).name
    if wanted not in SHELLS:
        raise (
            unknown("shell", wanted, SHELLS)
            if shell
            else UsageError(
                f"there is no completion for {wanted}", f"name one of {', '.join(SHELLS)}"
            )
        )
    print(script(wanted))


def script(shell: str) -> str:
    """Return the script for a shell, one of SHELLS."""
    found: str = get_completion_script(prog_name="foliot", complete_var=VARIABLE, shell=shell)
    if shell == "bash":
        return f"{_WHOLE_WORDS}\n{found}"
    launcher = str(paths.ROOT / "foliot")
    return found.replace("complete_zsh foliot", f"complete_zsh {launcher}").replace(
        "commandline -cp) foliot", f"commandline -cp) {launcher}"
    )
