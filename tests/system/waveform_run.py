# SPDX-License-Identifier: Apache-2.0
"""A timed replay with waveform and statistics, of the capture on the command line: made once, looked at by several
checks. The capture's own expectations hold too."""
import json
import pathlib
import sys
import tempfile

from checks import expect, run
from vcd import Vcd

gen9sim, capture = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    base = pathlib.Path(folder)
    done = run(gen9sim, "replay", "--vcd", base / "run.vcd", "--stats", base / "run.json", capture)
    expect(done.returncode == 0, f"status {done.returncode}: {done.stderr}")
    vcd = Vcd(base / "run.vcd")
    stats = json.loads((base / "run.json").read_text())
