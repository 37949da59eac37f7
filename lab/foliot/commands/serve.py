# SPDX-License-Identifier: Apache-2.0
"""`foliot serve`: a team's server, its people, its backup."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Annotated

import typer

from foliot.commands.options import QuietOption, one_of
from foliot.model.errors import UsageError, unknown
from foliot.model.names import counted
from foliot.show.terminal import Progress
from foliot.target import provision

_WORDS = ("token", "revoke", "backup", "restore")


def command(
    what: Annotated[
        str | None, one_of(_WORDS, "None: serve. Or token, revoke, backup, restore.")
    ] = None,
    whom: Annotated[
        str | None,
        typer.Argument(metavar="[NAME]", show_default=False, help="A person, or a file."),
    ] = None,
    project: Annotated[
        str, typer.Option("--project", metavar="NAME", help="Of a token (the project: lab).")
    ] = "lab",
    role: Annotated[
        str, typer.Option("--role", metavar="ROLE", help="Of a token: read, record, administer.")
    ] = "record",
    days: Annotated[
        int | None, typer.Option("--days", metavar="N", min=1, help="Until a token expires.")
    ] = None,
    data: Annotated[
        Path | None, typer.Option("--data", metavar="DIR", help="Where the database is kept.")
    ] = None,
    database: Annotated[
        str | None,
        typer.Option("--database", envvar="FOLIOT_DATABASE", metavar="URL",
                     help="A PostgreSQL that is there."),
    ] = None,
    host: Annotated[str, typer.Option("--host", metavar="ADDRESS", help="To listen on.")] =
    "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", metavar="N", min=0, max=65535, help="0: any that is free.")
    ] = 8472,
    certificate: Annotated[
        Path | None, typer.Option("--certificate", metavar="FILE", help="For TLS, with its chain.")
    ] = None,
    key: Annotated[Path | None, typer.Option("--key", metavar="FILE", help="Its key.")] = None,
    behind_proxy: Annotated[
        str, typer.Option("--behind-proxy", metavar="ADDRESS", help="Of one that does TLS.")
    ] = "",
    quiet: QuietOption = False,
) -> None:  # fmt: skip
    """Serve a team's record of runs, and show benches while they run."""
    if what is not None and what not in _WORDS:
        raise unknown("word", what, _WORDS)
    if (what is None) != (whom is None):
        raise UsageError(f"`foliot serve {what or ''}` takes {'a name' if what else 'no name'}")
    progress = Progress(quiet)
    provision.python_packages(provision.TEAM_REQUIREMENTS, progress, "the team's server")
    importlib.invalidate_caches()
    from foliot.server.application import Place, Settings
    from foliot.server.serving import Team

    team = Team(data, database, progress)
    if what is None or whom is None:
        team.serve(Place(host, port, certificate, key, behind_proxy), Settings())
    elif what == "token":
        print(team.token(project, whom, role, days))
        progress.say(f"{whom} may {role} in {project}; the token can't be shown again")
    elif what == "revoke":
        print(f"{counted(team.revoke(project, whom), 'token')} of {whom} in {project} ended")
    elif what == "backup":
        print(f"{whom}: {team.backup(Path(whom)) / 1e6:.1f} MB")
    else:
        team.restore(Path(whom))
        print(f"restored from {whom}")
