# SPDX-License-Identifier: Apache-2.0
"""damaged_kernels.py GEN9SIM TRACES FOLDER [--seed N] [--count N]: captures whose kernels were damaged at random.

Whatever a kernel's bytes are, the whole machine ends by itself with a status of its own: no crash, no
hang beyond the watchdog. A capture that does otherwise is kept in FOLDER and named.
"""
import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

from checks import expect, finish

parser = argparse.ArgumentParser()
parser.add_argument("gen9sim")
parser.add_argument("traces")
parser.add_argument("folder")
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--count", type=int, default=60)
options = parser.parse_args()

# DWord 0 of the messages that end a thread: to the thread spawner, of a pixel shader to the render target
# (8 and 16 channels), of a shader of vertices to the URB. The last bit of such an instruction says that it ends the thread.
ENDS = [bytes.fromhex(word) for word in ("31006007", "32006005", "32008005", "33006006")]
INSTRUCTION_BYTES = 16
SECONDS = 60
# 0 as expected, 1 a mismatch, 3 the engine faulted, hung or met something not modelled.
STATUSES = (0, 1, 3)
KERNEL_BYTES = 2048
PACKET_HEADER_BYTES = 24


def packets(stream):
    """Where the packets are: (first byte, one past the last). The low half of a header is the length."""
    at = 0
    while at + 4 <= len(stream):
        end = at + 4 * ((int.from_bytes(stream[at:at + 4], "little") & 0xFFFF) + 1)
        yield at, end
        at = end


def kernels(stream):
    """Places of the code before each end of thread, within its packet."""
    places = []
    for first, end in packets(stream):
        for word in ENDS:
            at = stream.find(word, first, end - INSTRUCTION_BYTES + 1)
            while at >= 0:
                if stream[at + INSTRUCTION_BYTES - 1] & 0x80:
                    places.append((max(first + PACKET_HEADER_BYTES, at - KERNEL_BYTES), at + INSTRUCTION_BYTES))
                at = stream.find(word, at + 4, end)
    return places


def damage(stream, places, draw):
    altered = bytearray(stream)
    for first, end in places:
        for _ in range(draw.randint(1, 3)):
            # Near the end of the range there is code for certain; further up only of long kernels.
            at = max(first, end - 1 - int(draw.expovariate(1 / 300)))
            kind = draw.randrange(3)
            if kind == 0:
                altered[at] ^= 1 << draw.randrange(8)
            elif kind == 1:
                altered[at] = draw.randrange(256)
            else:
                start = max(first, at - 8)
                altered[start:start + 8] = draw.randbytes(8)
    return altered


captures = sorted(pathlib.Path(options.traces).glob("*/stream.aub.zst"))
expect(len(captures) >= 6, f"{len(captures)} captures, at least 6 wanted")
streams = [subprocess.run(["zstd", "-dc", str(path)], capture_output=True, check=True).stdout for path in captures]
found = [kernels(stream) for stream in streams]
expect(all(found), "a capture without the end of a kernel")
draw = random.Random(options.seed)
ends = {}
with tempfile.TemporaryDirectory() as folder:
    for number in range(options.count):
        which = number % len(streams)
        path = pathlib.Path(folder) / "damaged.aub"
        path.write_bytes(damage(streams[which], found[which], draw))
        mode = draw.choice(("functional", "timed"))
        command = [options.gen9sim, "replay", "--no-progress", "--timing", mode, "--max-cycles", "3000000",
                   "--set", "gpu.watchdog_cycles=300000", str(path)]
        try:
            status = subprocess.run(command, capture_output=True, timeout=SECONDS).returncode
        except subprocess.TimeoutExpired:
            status = "no end"
        ends[status] = ends.get(status, 0) + 1
        if status not in STATUSES:
            kept = pathlib.Path(options.folder)
            kept.mkdir(parents=True, exist_ok=True)
            kept /= f"damaged_{options.seed}_{number}.aub"
            kept.write_bytes(path.read_bytes())
            expect(False, f"{captures[which].parent.name} damaged, {mode}: {status}; kept as {kept}")
print(f"{options.count} damaged captures; statuses {ends}")
# The damage reaches the machine: not all go as if nothing had happened.
expect(ends.get(0, 0) < options.count * 0.8, f"hardly any damage was noticed: {ends}")
finish()
