"""A running platform, and the command that starts one for several files of tests.

    python system.py FOLDER

starts `openvalet up` with its data in FOLDER, writes its address to FOLDER/address, prints a line when it is ready,
and stops when its standard input closes. Tests attach to it by OPENVALET_TEST_SYSTEM=FOLDER.
"""

from __future__ import annotations

import os
import random
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from api import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
BINARIES = Path(os.environ.get("OPENVALET_TEST_BINARIES", ROOT / ".build/debug"))
#: Many people sign up here; a release build refuses the setting.
CHEAP_PASSWORDS = {"OPENVALET_ACCOUNTS_CHEAP_PASSWORDS": "yes"} if BINARIES.name == "debug" else {}
#: Below the ports of outgoing connections, one of which could take it before it is used, and beside those of
#: `openvalet up`.
PORTS = range(30_000, 32_768)
#: Marks of the ports that are taken: UDP ports of numbers that are lower by 20,000, as Tests/Support/FreePort.swift has
#: them too.
MARKS: list[socket.socket] = []


def free_port() -> int:
    """A port that nobody uses, and that no other test takes for as long as this process lives."""
    for port in random.sample(PORTS, len(PORTS)):
        mark = socket.socket(type=socket.SOCK_DGRAM)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            mark.bind(("127.0.0.1", port - 20_000))
            MARKS.append(mark)
            return port
        mark.close()
    raise RuntimeError("no port is free")


class Platform:
    """A platform that runs: its address, its data folder and its log."""

    def __init__(self, folder: Path, base: str):
        self.data = folder / "data"
        self.log_path = folder / "log"
        self.base = base

    @classmethod
    def shared(cls, folder: Path) -> Platform:
        """The one that `system.py` started in this folder."""
        return Platform(folder, (folder / "address").read_text())

    def printed(self) -> str:
        return self.log_path.read_text(errors="replace")

    def stop(self) -> None:
        """A shared platform runs on: it is stopped by the process that started it."""


class System(Platform):
    """`openvalet up` on a free port with a data folder of its own; ends with the tests, however they end."""

    def __init__(self, folder: Path, *options: str, **settings: str):
        super().__init__(folder, f"http://127.0.0.1:{free_port()}")
        # Apps as they stand in the sources may be tried without a build.
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith("OPENVALET_") or name == "OPENVALET_WEB_APPS"}
        environment |= {
            # No test asks a stranger's server.
            "OPENVALET_WEB_TILES": "",
            # One that is away: places can be looked for, and tests answer.
            "OPENVALET_GEOCODER_URL": f"http://127.0.0.1:{free_port()}",
            "OPENVALET_GEOCODER_CONTACT": "tests@openvalet.example",
            # Several platforms share the machine: consumers ask a tenth as often.
            "OPENVALET_KAFKA_SETTINGS": "fetch.wait.max.ms=50",
            # Many people sign in from one address here.
            "OPENVALET_GATEWAY_STRICT_PER_MINUTE": "100000",
            "OPENVALET_GATEWAY_REFUSALS_PER_SECOND": "100000",
            "OPENVALET_GATEWAY_OPEN_PER_SECOND": "10000",
            "OPENVALET_GATEWAY_PERSON_PER_SECOND": "1000",
            "OPENVALET_GATEWAY_ADDRESS_PER_SECOND": "100000",
            "OPENVALET_ORDERS_SCHEDULE_EARLIEST_SECONDS": "2",
            # A 5xx is a fault here, not a machine that is short of time.
            "OPENVALET_GATEWAY_FORWARD_SECONDS": "60",
            # An order is alone in its town: nothing competes for a valet, and nobody else comes on shift.
            "OPENVALET_MATCHING_WINDOW_SECONDS": "0",
            "OPENVALET_MATCHING_PATIENCE_SECONDS": "10",
            **CHEAP_PASSWORDS,
            **settings,
        }
        tool = BINARIES / "openvalet"
        port = self.base.rsplit(":", 1)[1]
        self.log = open(self.log_path, "wb")
        # The guard ends the platform when this pipe closes, which it does also when this process is killed.
        self.process = subprocess.Popen(
            [tool, "guard", tool, "up", "--port", port, "--data", self.data, "--plain", *options],
            stdin=subprocess.PIPE, stdout=self.log, stderr=self.log, env=environment)
        deadline = time.monotonic() + 2 * PATIENCE
        while "OpenValet is ready" not in self.printed():
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.stop()
                raise RuntimeError(f"the system did not start:\n{self.printed()[-4_000:]}")
            time.sleep(0.05)

    def stop(self) -> None:
        self.process.stdin.close()
        self.process.wait(PATIENCE)
        self.log.close()


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    system = System(folder)
    try:
        (folder / "address").write_text(system.base)
        print(f"The platform of the browser tests is ready: {system.base}", flush=True)
        sys.stdin.read()
    finally:
        system.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
