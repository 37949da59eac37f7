# SPDX-License-Identifier: Apache-2.0
"""A PostgreSQL of our own in a directory: Debian's programs, no service, no port.

It is reached by a socket in a directory that only its user may enter, runs as nobody's
superuser (as `postgres` where root starts us, since it refuses to run as root), and ends with
whoever started it, by its own process id.
"""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import signal
import stat
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from foliot.model.errors import FoliotError
from foliot.target import watcher

PROGRAMS = Path("/usr/lib/postgresql/15/bin")
NAME = "foliot"
START_S, STOP_S = 120.0, 120.0
_ROOTS_USER = "postgres"
_SOCKET_LINE = 4  # of postmaster.pid
_TRIES, _PAUSE_S = 4, 1.0


class _Ended(FoliotError):
    """PostgreSQL ended before it answered."""


def default_directory() -> Path:
    """Return where the team's data is unless said otherwise: /var/lib/foliot for root."""
    if os.geteuid() == 0:
        return Path("/var/lib/foliot")
    import platformdirs

    return Path(platformdirs.user_data_dir("foliot", appauthor=False)) / "team"


@contextmanager
def running(directory: Path) -> Iterator[str]:
    """Yield the URL of the PostgreSQL in a directory, made and started where need be.

    One that runs already (of `foliot serve`) is used, and left alone. FoliotError says what
    PostgreSQL said where it does not start within START_S seconds.
    """
    data = directory / "postgresql"
    if not (data / "PG_VERSION").is_file():
        _make(data)
    found = _socket(data)
    if found is not None:
        yield _url(found)
        return
    child, place = _start(data)
    try:
        yield _url(place)
    finally:
        _stop(child)
        shutil.rmtree(place, ignore_errors=True)


def program(name: str) -> str:
    """Return the path of one of PostgreSQL's programs."""
    return str(PROGRAMS / name)


def _url(socket: Path) -> str:
    return f"postgresql://{_user().pw_name}@/{NAME}?host={quote(str(socket), safe='')}"


def _user() -> pwd.struct_passwd:
    try:
        return pwd.getpwnam(_ROOTS_USER) if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
    except KeyError:
        raise FoliotError(f"there is no user {_ROOTS_USER}: PostgreSQL brings it") from None


def as_user() -> Mapping[str, Any]:
    """Return how a program is started as PostgreSQL's user."""
    user = _user()
    if os.geteuid() != 0:
        return {}
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


def _make(data: Path) -> None:
    """Make a cluster; one that was made by half is made anew."""
    user = _user()
    try:
        data.parent.mkdir(parents=True, exist_ok=True)
        unfinished = data.with_name("postgresql.part")
        if unfinished.exists():
            shutil.rmtree(unfinished)
        unfinished.mkdir(mode=stat.S_IRWXU)
        if os.geteuid() == 0:
            os.chown(unfinished, user.pw_uid, user.pw_gid)
    except OSError as error:
        raise FoliotError(f"{data.parent}: {error.strerror}", "choose another --data DIR") from None
    _run("initdb", "-D", str(unfinished), "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8",
         f"--username={user.pw_name}", "--data-checksums")  # fmt: skip
    with (unfinished / "postgresql.conf").open("a", encoding="utf-8") as settings:
        settings.write("listen_addresses = ''\nshared_buffers = 256MB\ntimezone = 'UTC'\n"
                       "random_page_cost = 1.1\nmax_wal_size = 4GB\n")  # fmt: skip
    unfinished.rename(data)


def _run(name: str, *words: str) -> None:
    done = subprocess.run(
        [program(name), *words], capture_output=True, text=True, check=False, timeout=START_S,
        stdin=subprocess.DEVNULL, cwd="/", **as_user(),
    )  # fmt: skip
    if done.returncode != 0:
        said = (done.stderr or done.stdout).strip().splitlines()
        raise FoliotError(f"{name} failed", "choose another --data DIR", said[-5:])


def _start(data: Path) -> tuple[subprocess.Popen[bytes], Path]:
    """Start it and wait until it answers; return its process and its socket's directory.

    What was killed may hold its memory for a moment after its processes are gone from /proc, and
    PostgreSQL refuses to start meanwhile: so one that ends is tried again.
    """
    until = time.monotonic() + START_S
    for _ in range(_TRIES - 1):
        with contextlib.suppress(_Ended):
            return _try(data, until)
        time.sleep(_PAUSE_S)
    return _try(data, until)


def _try(data: Path, until: float) -> tuple[subprocess.Popen[bytes], Path]:
    place = Path(tempfile.mkdtemp(prefix="foliot-pg-"))
    user = _user()
    if os.geteuid() == 0:
        os.chown(place, user.pw_uid, user.pw_gid)
    log = data.parent / "postgresql.log"
    with log.open("ab") as said:
        child = subprocess.Popen(
            [program("postgres"), "-D", str(data), "-k", str(place)], stdin=subprocess.DEVNULL,
            stdout=said, stderr=said, cwd="/", process_group=0, **as_user(),
        )  # fmt: skip
    watcher.watch(child.pid)
    while not _answers(place):
        ended = child.poll() is not None
        if ended or time.monotonic() > until:
            _stop(child)
            shutil.rmtree(place, ignore_errors=True)
            lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
            error = _Ended if ended else FoliotError
            raise error("PostgreSQL does not start", f"{log} says more", lines[-5:])
        time.sleep(0.05)
    _create(place)
    return child, place


def _answers(socket: Path) -> bool:
    command = [program("pg_isready"), "-q", "-h", str(socket), "-t", "10"]
    return subprocess.run(command, check=False, timeout=START_S, cwd="/").returncode == 0


def _create(socket: Path) -> None:
    """Make our database in the cluster, where it is not there yet."""
    import psycopg

    url = f"host={socket} user={_user().pw_name} dbname=postgres"
    with psycopg.connect(url, autocommit=True, connect_timeout=10) as connection:
        known = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", (NAME,))
        if known.fetchone() is None:
            connection.execute(f"CREATE DATABASE {NAME}".encode())


def _stop(child: subprocess.Popen[bytes]) -> None:
    """End it in order (SIGINT: sessions are ended, all is written), then insist."""
    with contextlib.suppress(ProcessLookupError):
        child.send_signal(signal.SIGINT)
    try:
        child.wait(timeout=STOP_S)
    except subprocess.TimeoutExpired:
        child.send_signal(signal.SIGQUIT)  # its children end too; the next start recovers
        child.wait(timeout=STOP_S)
    watcher.forget(child.pid)


def _socket(data: Path) -> Path | None:
    """Return where one that runs on these data listens; wait until one that ends has ended.

    That is so of one that was killed, too: PostgreSQL doesn't start while anything of it is left.
    """
    until = time.monotonic() + STOP_S
    while True:
        try:
            lines = (data / "postmaster.pid").read_text(encoding="utf-8").splitlines()
        except OSError:
            return None
        first = lines[0].strip() if lines else ""
        if not first.isdecimal() or not _is_held(int(first), data):
            return None
        place = Path(lines[_SOCKET_LINE]) if len(lines) > _SOCKET_LINE else None
        if place and lines[-1].strip() == "ready" and _answers(place):
            return place
        if time.monotonic() > until:
            raise FoliotError(f"PostgreSQL's process {first} has these data, and does not answer")
        time.sleep(0.1)


def _is_held(pid: int, data: Path) -> bool:
    """Whether that process, or one that it started, has these data; or is dead, but not reaped."""
    if _works_in(Path(f"/proc/{pid}"), data) or _is_zombie(pid):
        return True
    return any(_works_in(one, data) for one in Path("/proc").iterdir() if one.name.isdecimal())


def _works_in(process: Path, data: Path) -> bool:
    try:
        return (process / "cwd").resolve(strict=True) == data.resolve()
    except OSError:
        return False


def _is_zombie(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0] == b"Z"
    except OSError:
        return False


def backup(url: str, file: Path) -> None:
    """Write all of a database to a file that `restore` takes; whole or not at all."""
    part = file.with_name(f".{file.name}.part")
    try:
        with part.open("wb") as out:
            _piped(["pg_dump", "--format=custom", "--no-owner", "--no-acl", f"--dbname={url}"],
                   {"stdout": out})  # fmt: skip
            out.flush()
            os.fsync(out.fileno())
        part.chmod(stat.S_IRUSR | stat.S_IWUSR)  # it has the tokens' hashes
        part.replace(file)
    except OSError as error:
        raise FoliotError(f"{file} can't be written: {error.strerror}") from None
    finally:
        part.unlink(missing_ok=True)


def restore(url: str, file: Path) -> None:
    """Fill an empty database from what `backup` wrote; all of it or nothing."""
    try:
        with file.open("rb") as given:
            _piped(["pg_restore", "--single-transaction", "--exit-on-error", "--no-owner",
                    "--no-acl", f"--dbname={url}"], {"stdin": given})  # fmt: skip
    except OSError as error:
        raise FoliotError(f"{file} can't be read: {error.strerror}") from None


def _piped(words: Sequence[str], files: Mapping[str, Any]) -> None:
    name, *rest = words
    done = subprocess.run(
        [program(name), *rest], stderr=subprocess.PIPE, check=False, cwd="/",
        **{"stdin": subprocess.DEVNULL, **files}, **as_user(),
    )  # fmt: skip
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise FoliotError(f"{name} failed", None, said[-5:])
