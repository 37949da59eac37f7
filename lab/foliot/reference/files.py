# SPDX-License-Identifier: Apache-2.0
"""The files of data/reference/ as runs, each in its own shape.

The files are kept as they were published or measured, so that they can be held against
their sources; here, and only here, is known how each is built. Their rows take our ids
where they measure the same (row_names.toml), and are net of the other system's time stamps
where the file says what those cost.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from foliot.model.names import slug
from foliot.model.published import published_run, single
from foliot.model.run import Origin, Row, Run
from foliot.reference.rows import catalogue
from foliot.target import paths

# What Zephyr's rows of kind L hold of the measuring loop on Ibex, see the file's note.
_IBEX_LOOP_CYCLES = {"speed": 4, "default": 6}

# A tick of those kernels of peers_time.json that tick.
_IBEX_TICK_CYCLES = 10_000

Named = Iterator[tuple[str, Run]]


def zephyr_published() -> Named:
    """Zephyr's latency_measure as people published it."""
    for run in _read("zephyr_latency_measure_published.json"):
        version = run.get("kernel_version", "")
        if version:
            board, system = slug(run["title"]), "zephyr-4.3"
        else:
            dated = "2025" if run["source"].startswith("000") else "undated"
            board, system = "unnamed", f"zephyr-readme-{dated}"
        configuration = run["configuration"]
        suffix = "" if configuration == "default" else f"-{configuration}"
        clock = run.get("declared_hz") or run["declared_mhz"] * 1_000_000
        rows = [single(row["id"], row["text"], row["cycles"], row["ns"]) for row in run["rows"]]
        device = {"name": run["board"], **{key: run.get(key, "") for key in _DEVICE}}
        yield f"{system}{suffix}@{board}", _run(
            rows, board, "cycles", configuration, clock, run.get("core", "not known"),
            _origin("Zephyr", version, run["title"], run["source"], device),
        )  # fmt: skip


def zephyr_in_qemu() -> Named:
    """Zephyr 3.3's latency_measure, counted by QEMU."""
    data = _read("zephyr_3_3_qemu_instructions.json")
    for run in data["runs"]:
        configuration = run["configuration"]
        suffix = "" if configuration == "default" else f"-{configuration}"
        rows = [_net(row["id"], row) for row in run["rows"]]
        origin = _origin("Zephyr", data["kernel"], f"Zephyr 3.3, {configuration}", "measured",
                         emulator=data["emulator"])  # fmt: skip
        yield (
            f"zephyr-3.3{suffix}@{run['board']}",
            _run(rows, run["board"], "insn", configuration, 0, "QEMU", origin, data["compiler"]),
        )


def peers_on_ibex() -> Named:
    """Zephyr, FreeRTOS, ThreadX and a hand-written floor on Ibex's RTL."""
    data = _read("peers_ibex_rtl_cycles.json")
    for name, kernel in data["kernels"].items():
        zephyr = name.startswith("zephyr")
        kind = name.removeprefix("zephyr-3.3").strip("-") or "default" if zephyr else "default"
        loop = _IBEX_LOOP_CYCLES["speed" if "speed" in kind else "default"]
        rows = [
            row
            for key, figures in kernel["rows"].items()
            if not key.startswith("calib.")
            for row in ([_net(key, figures, loop)] if zephyr else _peer("ibex", key, figures))
        ]
        title = f"{_SYSTEMS[name.split('-')[0]]}: {kernel['configuration']}"
        origin = _origin(_SYSTEMS[name.split("-")[0]], kernel["version"], title, "measured",
                         emulator=data["simulator"])  # fmt: skip
        yield f"{name}@ibex", _run(
            rows, "ibex", "cycles", kind, 100_000_000, data["core"], origin, data["compiler"],
            data["memory"],
        )  # fmt: skip


def peers_on_cortex_m3() -> Named:
    """FreeRTOS, ThreadX, ChibiOS and RIOT on a Cortex-M3, counted by QEMU."""
    data = _read("peers_cortex_m3_qemu_instructions.json")
    for name, version in data["kernels"].items():
        rows = [
            row
            for figures in data["rows"]
            if name in figures
            for row in _peer("mps2_an385", figures["row"], figures[name])
        ]
        system = _SYSTEMS[name.split("_")[0]]
        origin = _origin(system, version, f"{system}: {version}", "measured",
                         emulator=data["board"])  # fmt: skip
        yield (
            f"{name.replace('_', '-')}@mps2_an385",
            _run(
                rows, "mps2_an385", "insn", "default", 0, "QEMU Cortex-M3", origin, data["compiler"]
            ),
        )


def peers_of_time() -> Named:
    """Return what time costs others: some tick, some do not, and their names say which."""
    data = _read("peers_time.json")
    for board in ("ibex", "mps2_an385"):
        for name, kernel in data[board]["kernels"].items():
            rows = [
                row
                for key, numbers in kernel["rows"].items()
                for number, figures in numbers.items()
                if (row := _time_row(key, number, figures["median"])) is not None
            ]
            system = _SYSTEMS[name.split("-")[0]]
            kind = "tickless" if kernel["tickless"] else "ticking"
            title = f"{system}, {kind}{_tick_share(board, kernel)}: {kernel['configuration']}"
            origin = _origin(system, kernel["version"], title, "measured",
                             emulator=data[board]["board"])  # fmt: skip
            label = f"{name.removesuffix('-tickless')}-time-{kind}@{board}"
            yield label, _run(
                rows, board, data[board]["unit"], "default", 0, data[board]["board"], origin,
                data[board]["compiler"], suite="time",
            )  # fmt: skip


def zephyr_states() -> Named:
    """Zephyr's operations in states beside those of its benchmark, on Ibex's RTL."""
    data = _read("zephyr_states_ibex.json")
    ids = _row_names()["states"]
    rows = [
        single(ids[key], key.replace("/", ", "), row["zephyr"])
        for row in data["rows"]
        if (key := f"{row['operation']}/{row['state']}") in ids
    ]
    version = data["kernels"]["zephyr"]
    origin = _origin("Zephyr", version, f"Zephyr in other states: {version}", "measured",
                     emulator=data["core"])  # fmt: skip
    yield "zephyr-3.3-states@ibex", _run(
        rows, "ibex", "cycles", "default", 0, data["core"], origin, data["compiler"],
        suite="states",
    )  # fmt: skip


def _time_row(key: str, number: str, median: float) -> Row | None:
    ours = _row_names()["time"].get(key)
    return None if ours is None else single(ours.format(number), key, median)


def _tick_share(board: str, kernel: Mapping[str, Any]) -> str:
    """Return what a tick with nothing to do costs, of a kernel that ticks."""
    nothing = kernel["rows"].get("d.tick.nothing", {}).get("0")
    if kernel["tickless"] or nothing is None:
        return ""
    if board != "ibex":  # the others' ticks were pended by hand: there is no rate
        return f", {nothing['median']} a tick with nothing due"
    share = nothing["median"] / _IBEX_TICK_CYCLES
    return f", {nothing['median']} a tick with nothing due ({share:.1%} of the CPU at 10 kHz)"


def l4re() -> Named:
    """L4Re's IPC table; its triples are counts of three different things: three runs."""
    data = _read("l4re_published.json")
    for line in data["rows"]:
        for unit in ("cycles", "insn", "tsc"):
            rows = list(_l4re_rows(line, unit))
            if not rows:
                continue
            where = slug(line["cpu"].removeprefix("Intel ").removeprefix("Cortex-"))
            level = next((f"-{text.lower()}" for text in ("EL1", "EL2") if text in line["platform"]
                          ), "")  # fmt: skip
            suffix = "" if unit == "cycles" else f"-{unit}"
            title = f"{line['cpu']}, {line['platform']}"
            device = {"name": line["platform"], "core": line["cpu"]}
            yield f"l4re{level}{suffix}@{where}", _run(
                rows, where, unit, "performance", 0, line["cpu"],
                _origin("L4Re", "", title, data["source"], device), suite="ipc",
            )  # fmt: skip


def _l4re_rows(line: Mapping[str, Any], unit: str) -> Iterator[Row]:
    """Return the rows of one platform that count in `unit`; as printed, marks and all."""
    key = {"cycles": "clk", "insn": "insn", "tsc": "tsc"}[unit]
    for name in ("intra", "inter", "syscall"):
        figures = line[name]
        if isinstance(figures, int):
            if unit == "cycles":
                yield single(f"ipc.{name}", f"One-way IPC, {name}", figures)
            continue
        extra = {"footnote": "1", "cycles": figures["clk"]} if unit == "insn" else {}
        yield single(f"ipc.{name}", f"One-way IPC, {name}", figures[key], **extra)


def microkernels() -> Named:
    """SeL4 and Fiasco: measured in QEMU, and what seL4 publishes of real cores."""
    data = _read("microkernel_ipc.json")
    for group, unit in (("measured_instructions", "insn"), ("published_cycles", "cycles")):
        for name, figures in data[group].items():
            if not isinstance(figures, Mapping) or name not in _MICROKERNELS:
                continue
            label, system, board, core = _MICROKERNELS[name]
            rows = [
                row
                for key, value in figures.items()
                if isinstance(value, int)
                for row in _named("ipc", key, key.replace("_", " "), value)
            ]
            source = figures.get("source", "measured")
            if source == "same":
                source = data[group]["sel4_a53"]["source"]
            emulator = data[group].get("how", "")
            origin = _origin(system, figures.get("kernel", ""), f"{system}, {core}", source,
                             emulator=emulator)  # fmt: skip
            yield (
                f"{label}@{board}",
                _run(rows, board, unit, "default", 0, core, origin, suite="ipc"),
            )


def kernelperf() -> Named:
    """KernelPerf's figures of kernel-v1 on an RP2040, read off an oscilloscope."""
    data = _read("kernelperf_published.json")
    rows = [
        row
        for key, us in data["figures_us"].items()
        for row in _named("periodic", key, key.replace("_", " "), round(us * 1000))
    ]
    origin = _origin("kernel-v1", "", "KernelPerf, kernel-v1 on an RP2040", data["source"],
                     {"set_up": data["set_up"]})  # fmt: skip
    yield (
        "kernel-v1@rp2040",
        _run(rows, "rp2040", "ns", "default", 125_000_000, "Cortex-M0+", origin, suite="periodic"),
    )


_DEVICE = ("core", "ram", "rom", "fpu")
_SYSTEMS = {
    "zephyr": "Zephyr", "freertos": "FreeRTOS", "threadx": "ThreadX", "chibios": "ChibiOS",
    "riot": "RIOT", "floor": "hand-written floor",
}  # fmt: skip
_MICROKERNELS = {
    "sel4": ("sel4", "seL4", "qemu_aarch64", "QEMU AArch64, EL1"),
    "sel4_rv64": ("sel4", "seL4", "qemu_riscv64", "QEMU RV64"),
    "l4re_fiasco": ("fiasco", "L4Re", "qemu_aarch64", "QEMU AArch64, EL1"),
    "sel4_a53": ("sel4", "seL4", "cortex_a53", "Cortex-A53"),
    "sel4_a57": ("sel4", "seL4", "cortex_a57", "Cortex-A57"),
    "sel4_u54_rv64": ("sel4", "seL4", "u54", "SiFive U54"),
    "sel4_skylake_no_kernel_isolation": ("sel4", "seL4", "skylake", "Intel Skylake"),
}


def _net(row_id: str, figures: Mapping[str, Any], loop: float = 0) -> Row:
    """Return a row of Zephyr's without its time stamps, where they are known, and its loop.

    What a stamp costs is what that build's own calibration measured, where the file has it.
    """
    value = figures.get("net_measured_stamp", figures.get("net"))
    if value is None or figures.get("est"):
        return single(row_id, _texts().get(row_id, row_id), figures["printed"], stamps=1)
    net = value - (loop if figures["kind"] == "L" else 0)
    return single(row_id, _texts().get(row_id, row_id), round(net, 1), printed=figures["printed"])


def _peer(board: str, name: str, figures: Mapping[str, Any]) -> Iterator[Row]:
    value = figures["median"] if "median" in figures else figures["instructions"]
    return _named(board, name, name, value)


def _named(table: str, name: str, text: str, value: float) -> Iterator[Row]:
    ours = _row_names()[table].get(name, slug(name.replace("+", " ")))
    for row_id in [ours] if isinstance(ours, str) else ours:
        yield single(row_id, text, value)


@cache
def _row_names() -> Mapping[str, Any]:
    text = (paths.REFERENCE / "row_names.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def _texts() -> Mapping[str, str]:
    return {row.id: row.text for row in catalogue()}


def _read(name: str) -> Any:
    return json.loads((paths.REFERENCE / name).read_text(encoding="utf-8"))


def _origin(
    kernel: str,
    version: str,
    title: str,
    source: str,
    device: Mapping[str, str] | None = None,
    emulator: str = "",
) -> Origin:
    return Origin(
        kernel=kernel, kernel_version=version, title=title, source=source, format="reference",
        emulator=emulator, device=device or {},
    )  # fmt: skip


def _run(
    rows: Iterable[Row],
    board: str,
    unit: str,
    configuration: str,
    clock_hz: int,
    core: str,
    origin: Origin,
    compiler: str = "not known",
    memory: str = "not known",
    suite: str = "latency",
) -> Run:
    header = {"core": core, "compiler": compiler, "memory": memory}
    return published_run(
        list(rows), origin=origin, suite=suite, unit=unit, board=board,
        configuration=configuration, declared_hz=clock_hz, header=header,
    )  # fmt: skip
