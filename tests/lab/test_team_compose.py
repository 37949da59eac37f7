# SPDX-License-Identifier: Apache-2.0
"""The compose file, by its schema: no container runs here, and nothing says that one did."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
GIVEN = {"FOLIOT_HOST": "foliot.example.org", "FOLIOT_PASSWORD": "secret"}


def config(file: Path, **given: str) -> subprocess.CompletedProcess[str]:
    environment = {k: v for k, v in os.environ.items() if k not in GIVEN} | given
    return subprocess.run(["docker-compose", "-f", str(file), "config"], capture_output=True,
                          text=True, check=False, timeout=120, env=environment)  # fmt: skip


@pytest.mark.slow
@pytest.mark.needs("compose")
def test_the_compose_file_is_right_by_its_schema(tmp_path):
    done = config(DEPLOY / "compose.yaml", **GIVEN)
    assert done.returncode == 0, done.stderr
    assert "postgresql://foliot:secret@database/foliot" in done.stdout
    missing = config(DEPLOY / "compose.yaml", FOLIOT_HOST="x")
    assert missing.returncode != 0 and "set it" in missing.stderr
    wrong = tmp_path / "compose.yaml"
    wrong.write_text((DEPLOY / "compose.yaml").read_text().replace("restart:", "restarts:", 1))
    assert config(wrong, **GIVEN).returncode != 0


def test_what_the_files_name_is_there():
    text = (DEPLOY / "Dockerfile").read_text()
    assert "lab/requirements-team.txt" in text
    assert (DEPLOY.parent / "lab" / "requirements-team.txt").is_file()
    assert (DEPLOY.parent / ".dockerignore").read_text().split() == [".git", "build", ".venv"]
