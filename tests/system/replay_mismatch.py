# SPDX-License-Identifier: Apache-2.0
"""replay_mismatch.py GEN9SIM TRACES: a replay whose expected memory was altered says so; a cut file is refused."""
import pathlib
import subprocess
import sys
import tempfile

from checks import expect, finish, run

gen9sim, traces = sys.argv[1:]
captures = sorted(pathlib.Path(traces).glob("*/stream.aub.zst"))
expect(len(captures) >= 6, f"{len(captures)} captures, at least 6 wanted")
stream = subprocess.run(["zstd", "-dc", str(captures[0])], capture_output=True).stdout
with tempfile.TemporaryDirectory() as folder:
    # Memory compares: header 0xE1..04 type 7, opcode 0x2E, sub-opcode 4. Alter the last one's last data byte.
    at, last = 0, None
    while at + 4 <= len(stream):
        header = int.from_bytes(stream[at:at + 4], "little")
        length = 4 * ((header & 0xFFFF) + 1)
        if header >> 23 == 0x1C0 | 0x2E and (header >> 16 & 0x7F) == 4:
            last = (at, length)
        at += length
        if header >> 23 == 0x1C0 | 0x2E and (header >> 16 & 0x7F) in (4, 6):
            pass
    expect(last is not None, "the capture holds no memory compare")
    if last:
        altered = bytearray(stream)
        altered[last[0] + 20] ^= 0xFF
        path = pathlib.Path(folder) / "altered.aub"
        path.write_bytes(altered)
        done = run(gen9sim, "replay", path)
        expect(done.returncode != 0, "an altered expectation was not noticed")
        for word in ("packet", "expected", "found"):
            expect(word in done.stdout + done.stderr, f"the mismatch report does not say '{word}'")
    # A capture of another version.
    path = pathlib.Path(folder) / "other.aub"
    path.write_bytes(stream[:4] + (7).to_bytes(4, "little") + stream[8:])
    done = run(gen9sim, "replay", path)
    expect(done.returncode == 2 and "a capture of version 7, and" in done.stderr, f"another version: status {done.returncode}: {done.stderr}")
    path = pathlib.Path(folder) / "cut.aub"
    path.write_bytes(stream[:len(stream) // 2 + 3])
    done = run(gen9sim, "replay", path)
    expect(done.returncode not in (0, -6, -11), f"a cut file: status {done.returncode}\n{done.stderr}")
finish()
