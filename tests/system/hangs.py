# SPDX-License-Identifier: Apache-2.0
"""hangs.py GEN9SIM TRACES: what can never go on is found within the watchdog's time and named.

The hangs are made from a capture: a walker becomes a wait for a semaphore that nobody signals; a message of its
kernel goes to a function that does not exist.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

from checks import expect, finish, run

gen9sim, traces = sys.argv[1:]
WATCHDOG, LOOK = 200_000, 50_000
stream = subprocess.run(["zstd", "-dc", f"{traces}/add_chars/stream.aub.zst"], capture_output=True, check=True).stdout


def dwords(*values):
    return b"".join(value.to_bytes(4, "little") for value in values)


def without_walker(header=0x0E00C002):
    """MI_SEMAPHORE_WAIT, polling the batch's first DWord until it is 0x1234; the walker's other 11 DWords are MI_NOOP."""
    start = stream.find(dwords(0x18800101))
    expect(start > 0, "the capture starts no batch")
    low, high = stream[start + 4:start + 8], stream[start + 8:start + 12]
    at = stream.find(dwords(0x7105000D))
    expect(at > 0 and at % 4 == 0, "the capture has no walker")
    return stream[:at] + dwords(header, 0x1234) + low + high + bytes(44) + stream[at + 60:]


def with_lost_message():
    """The last message with an answer before the end of a thread, made one to function 0."""
    end = stream.find(bytes.fromhex("31006007"))
    expect(end > 0, "the capture has no end of thread")
    for at in range(end - 16, end - 2048, -8):
        word, descriptor = (int.from_bytes(stream[at + o:at + o + 4], "little") for o in (0, 12))
        if word & 0x7F == 0x31 and not word >> 29 & 1 and descriptor >> 31 == 0 and descriptor >> 20 & 0x1F:
            return stream[:at] + dwords(word & ~(0xF << 24)) + stream[at + 4:]
    expect(False, "the kernel sends no message with an answer")
    return stream


with tempfile.TemporaryDirectory() as folder:
    for name, altered, words in (
            ("semaphore", without_walker(), ("MI_SEMAPHORE_WAIT", "waits for its semaphore")),
            ("semaphore in signal mode", without_walker(0x0E004002),
             ("MI_SEMAPHORE_WAIT", "waits at a semaphore in signal mode, and nobody signalled")),
            ("lost message", with_lost_message(), ("after a message was lost", "1 unfinished"))):
        path = pathlib.Path(folder) / "hang.aub"
        path.write_bytes(altered)
        # Functional mode ends a thread whose message is lost.
        for mode in ("functional", "timed") if name.startswith("semaphore") else ("timed",):
            done = run(gen9sim, "replay", "--timing", mode, "--set", f"gpu.watchdog_cycles={WATCHDOG}", path)
            expect(done.returncode == 3, f"{name}, {mode}: status {done.returncode}, expected 3\n{done.stderr}")
            for word in ("engine hang", *words):
                expect(word in done.stderr, f"{name}, {mode}: the report does not say '{word}':\n{done.stderr}")
            found = re.search(r"cycle (\d+): no command, .* since cycle (\d+), for gpu.watchdog_cycles \(200000\)", done.stderr)
            if name.startswith("semaphore"):
                expect(found, f"{name}, {mode}: not found by the watchdog:\n{done.stderr}")
                late = int(found[1]) - int(found[2]) if found else 0
                expect(WATCHDOG <= late < WATCHDOG + LOOK, f"{name}, {mode}: found after {late} cycles")
finish()
