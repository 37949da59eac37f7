# SPDX-License-Identifier: Apache-2.0
"""`foliot export`: runs in a form that another tool reads."""

from __future__ import annotations

from typing import Annotated

import typer

from foliot.commands import offers
from foliot.commands.options import StoreOption
from foliot.exporters.registry import export, forms
from foliot.show.output import write
from foliot.store.selection import select
from foliot.store.sqlite import Store

_FORMS = list(forms())


def command(
    runs: Annotated[
        list[str],
        typer.Argument(metavar="RUN...", autocompletion=offers.run, help="Ids, names, references."),
    ],
    form: Annotated[
        str,
        typer.Option(
            "--format",
            "-f",
            metavar="FORM",
            autocompletion=offers.form,
            help=f"{', '.join(_FORMS[:-1])} or {_FORMS[-1]}.",
        ),
    ] = "json",
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="Instead of stdout.")
    ] = "-",
    store: StoreOption = None,
) -> None:
    """Write runs in a form that another tool reads."""
    write(output, export(select(runs, Store(store)), form))
