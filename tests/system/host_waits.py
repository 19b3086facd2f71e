# SPDX-License-Identifier: Apache-2.0
"""host_waits.py GEN9SIM DRM_REQUESTS TRACES: an engine that polls what the host writes waits for it, for as long as
that takes, while simulated time and the processor rest; by both doors."""
import json
import pathlib
import re
import resource
import socket
import subprocess
import sys
import tempfile
import time

import aub
from checks import expect, finish, run

gen9sim, requests, traces = sys.argv[1:]
LONG = 10


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def by_kernel_interface(mode, kind, milliseconds, statistics=None):
    before = processor_seconds()
    options = ("--stats", statistics) if statistics else ()
    done = run(gen9sim, "run", "--timing", mode, *options, "--", requests, "waits", kind, str(milliseconds))
    what = f"{mode} {kind} {milliseconds} ms"
    expect(done.returncode == 0 and " 0 wrong answers" in done.stdout,
           f"{what}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return processor_seconds() - before, done.stderr


class Peer:
    """A host at the simulator socket."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))

    def send(self, *dwords, data=b""):
        self.socket.sendall(b"".join((d & 0xFFFFFFFF).to_bytes(4, "little") for d in dwords) + data)

    def write_register(self, offset, value):
        self.send(0, 0, 12, 1 | 4 << 1, offset, value)

    def read_register(self, offset):
        self.send(0, 1, 12, 4 << 1, offset, 0)
        answer = b""
        while len(answer) < 16:
            part = self.socket.recv(16 - len(answer))
            if not part:
                return None
            answer += part
        return int.from_bytes(answer[12:16], "little")

    def write_memory(self, address, data):
        self.send(4, 0, 12, address >> 32 << 24, address, len(data), data=data)

    def write_entry(self, index, entry):
        self.send(2, 0, 16, 1, index, entry, entry >> 32)

    def play(self, stream):
        """A capture up to its first look at the results."""
        for kind, _, packet in aub.packets(stream):
            words = [int.from_bytes(packet[i:i + 4], "little") for i in range(0, 24, 4)]
            if kind == aub.REGISTER_WRITE:
                self.write_register(words[1], words[5])
            elif kind == aub.MEMORY_WRITE:
                space, address, data = words[3] >> 28, words[1] | words[2] << 32, packet[20:20 + words[4]]
                if space == aub.GGTT_ENTRY:
                    for i in range(0, len(data), 8):
                        self.write_entry((address + i) // 8, int.from_bytes(data[i:i + 8], "little"))
                else:
                    self.write_memory(address, data)
            elif kind in (aub.REGISTER_POLL, aub.MEMORY_COMPARE):
                return


def dwords(*values):
    return b"".join(value.to_bytes(4, "little") for value in values)


def by_socket(mode, seconds):
    """A capture whose walker has become a wait for the batch's first DWord, which is in a page that is known by the
    walker in it."""
    stream = subprocess.run(["zstd", "-dc", f"{traces}/add_chars/stream.aub.zst"], capture_output=True, check=True).stdout
    start, at = stream.find(dwords(0x18800101)), stream.find(dwords(0x7105000D))
    expect(start > 0 and at > 0, "the capture has no batch with a walker")
    low, high = stream[start + 4:start + 8], stream[start + 8:start + 12]
    stream = stream[:at] + dwords(0x0E00C002, 0x1234) + low + high + bytes(44) + stream[at + 60:]
    page = next(int.from_bytes(packet[4:12], "little") for kind, begin, packet in aub.packets(stream)
                if kind == aub.MEMORY_WRITE and begin <= at < begin + len(packet))
    server = subprocess.Popen([gen9sim, "serve", "--port", "0", "--timing", mode], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
    port = re.search(r"(\d{2,5})\D*$", server.stdout.readline())
    before = processor_seconds()
    peer = Peer(int(port[1]))
    peer.play(stream)
    idle = 0x100
    asked, end = 0, time.monotonic() + seconds
    while time.monotonic() < end:
        state = peer.read_register(0x2234)
        asked += 1
        if state is None or state & idle:
            break
    expect(state is not None and not state & idle, f"tbx {mode}: the engine does not wait: {state}")
    expect(asked < 4000 * seconds, f"tbx {mode}: {asked} questions were answered")
    peer.write_memory(page, dwords(0x1234))
    state = peer.read_register(0x2234)
    expect(state is not None and state & idle, f"tbx {mode}: the engine does not go on: {state}")
    peer.socket.close()
    server.terminate()
    text = server.communicate(timeout=60)[0]
    expect("hang" not in text, f"tbx {mode}: called a hang:\n{text}")
    return processor_seconds() - before, text


used, text = by_kernel_interface("functional", "semaphore", 1000 * LONG)
expect(used < LONG / 4, f"a wait of {LONG} s took {used} s of the processor")
expect("waits for its program to write memory" in text and "MI_SEMAPHORE_WAIT" in text, f"a long wait is not told:\n{text}")
for mode in ("functional", "timed"):
    by_kernel_interface(mode, "all", 300)
used, text = by_socket("functional", LONG)
expect(used < LONG / 2, f"tbx: a wait of {LONG} s took {used} s of the processor")
expect("waits for its program to write memory" in text, f"tbx: a long wait is not told:\n{text}")
by_socket("timed", 1)

# Simulated time is the same whether the host wrote before the engine looked, soon, or late.
with tempfile.TemporaryDirectory() as folder:
    cycles = {}
    for milliseconds in (0, 50, 400):
        path = pathlib.Path(folder) / "run.json"
        by_kernel_interface("timed", "semaphore", milliseconds, path)
        cycles[milliseconds] = json.loads(path.read_text())["totals"]["engine_cycles"]
    expect(len(set(cycles.values())) == 1, f"cycles by the host's delay: {cycles}")
finish()
