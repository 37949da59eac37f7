# SPDX-License-Identifier: Apache-2.0
"""`foliot completion`: what lets a shell complete our command lines.

typer answers: it is asked through variables of the environment, which the scripts here set. They
are not typer's own, since those don't fit a program that is started as `./foliot`: zsh and fish
would call a `foliot` on the PATH, and bash takes `zephyr-3.3@ibex` for three words.
"""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import Annotated

import typer

from foliot.commands import offers
from foliot.model.errors import UsageError, unknown
from foliot.target import paths

SHELLS = ("bash", "zsh", "fish")
VARIABLE = "_FOLIOT_COMPLETE"  # by which the script asks cli.py
# Of each shell; {launcher} is called, since it may be on no PATH. bash calls what was typed.
_SCRIPTS = {
    "bash": """\
COMP_WORDBREAKS=${{COMP_WORDBREAKS//[@=:]}}
_foliot_completion() {{
    local IFS=$'\\n'
    COMPREPLY=($(env COMP_WORDS="${{COMP_WORDS[*]}}" COMP_CWORD=$COMP_CWORD \\
                 {variable}=complete_bash $1))
    return 0
}}
complete -o default -F _foliot_completion foliot
""",
    "zsh": """\
#compdef foliot
_foliot_completion() {{
  eval "$(env _TYPER_COMPLETE_ARGS="${{words[1,$CURRENT]}}" {variable}=complete_zsh {launcher})"
}}
compdef _foliot_completion foliot
""",
    "fish": """\
function __foliot_asked
    env {variable}=complete_fish _TYPER_COMPLETE_FISH_ACTION=$argv[1] \\
        _TYPER_COMPLETE_ARGS=(commandline -cp) {launcher}
end
complete --command foliot --no-files --condition "__foliot_asked is-args" \\
    --arguments "(__foliot_asked get-args)"
""",
}


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
    print(script(wanted), end="")


def script(shell: str) -> str:
    """Return the script for a shell, one of SHELLS."""
    launcher = shlex.quote(str(paths.ROOT / "foliot"))
    return _SCRIPTS[shell].format(variable=VARIABLE, launcher=launcher)
