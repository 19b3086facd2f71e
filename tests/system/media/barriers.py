#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""barriers.py GEN9SIM: groups with barriers over several subslices. GPGPU groups of 50 threads fit no subslice of Broxton (36
threads), but one of its two pools (54); a media walker's groups of 100 threads with a global barrier fit two subslices of Skylake.

In each round a thread leaves a value, passes the barrier and takes the value of a thread half a group away, which runs in
another subslice for many of them; a thread that passes too early finds an older value.
"""
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from checks import expect, finish, run
from stream import END, FENCED, READ, WRITE, Batch, Stream, assemble, words

GROUPS, ROUNDS = 6, 8
CODE, STATES, BATCH, DATA = 0, 0x10000, 0x80000, 0x100000
PLANE = 512    # a value of each thread
GROUP = 8192   # a plane of each round

# R1: where the data lies. R2: the thread's number in its group, which GPGPU threads are given. R3: the group's number.
POOLED = "(W) mov (1|M0) r3.0<1>:ud r0.1<0;1,0>:ud"
MEDIA = """(W) and (1|M0) r2.0<1>:ud r0.1<0;1,0>:ud 0x7FF:ud
(W) shr (1|M0) r3.0<1>:ud r0.1<0;1,0>:ud 16:ud"""
# R5: the group's plane. R6: the thread's value. R7, R8: offsets of the partner's and its own.
BEGIN = """
(W) shl (1|M0) r5.0<1>:ud r3.0<0;1,0>:ud 13:ud
(W) add (1|M0) r5.0<1>:ud r5.0<0;1,0>:ud r1.0<0;1,0>:ud
(W) add (1|M0) r7.0<1>:d r2.0<0;1,0>:d {half}:d
(W) cmp (1|M0) (ge)f0.0 null:d r7.0<0;1,0>:d {threads}:d
(W&f0.0) add (1|M0) r7.0<1>:d r7.0<0;1,0>:d -{threads}:d
(W) shl (1|M0) r7.0<1>:ud r7.0<0;1,0>:ud 2:ud
(W) shl (1|M0) r8.0<1>:ud r2.0<0;1,0>:ud 2:ud
(W) add (1|M0) r6.0<1>:ud r2.0<0;1,0>:ud r3.0<0;1,0>:ud
"""
LEAVE = f"""
(W) add (1|M0) r20.0<1>:ud r5.0<0;1,0>:ud r8.0<0;1,0>:ud
(W) mov (1|M0) r21.0<1>:ud r6.0<0;1,0>:ud
(W) send (1|M0) null r20:ud 0xC 0x{WRITE:x}{FENCED}
"""
ROUND = LEAVE + f"""
(W) and (8|M0) r22.0<1>:ud r0.2<0;1,0>:ud 0x8F000000:ud
(W) mov (1|M0) n0.0<1>:ud 0x0:ud {{Switch}}
(W) send (1|M0) null r22:ud 0x3 0x02000004
(W) wait n0.0<0;1,0>:ud
(W) add (1|M0) r23.0<1>:ud r5.0<0;1,0>:ud r7.0<0;1,0>:ud
(W) send (1|M0) r24:ud r23:ud 0xC 0x{READ:x}
(W) mul (1|M0) r6.0<1>:ud r6.0<0;1,0>:ud 3:uw
(W) add (1|M0) r6.0<1>:ud r6.0<0;1,0>:ud r24.0<0;1,0>:ud
(W) add (1|M0) r5.0<1>:ud r5.0<0;1,0>:ud {PLANE}:ud
"""


def build(threads, pooled):
    stream, batch = Stream(), Batch()

    def put(offset, data):
        stream.put(Batch.BASE + offset, data)
    begin = (POOLED if pooled else MEDIA) + BEGIN.format(half=threads // 2, threads=threads)
    put(CODE, assemble(begin + ROUND * ROUNDS + LEAVE + END))
    put(STATES, b"".join(words(value, *[0] * 7) for value in (DATA, *range(threads))))
    barrier = 1 << 21 | (0 if pooled else 1 << 15) | threads
    put(STATES + 0x2000, words(CODE, 0, 0, 0, 0, int(pooled) << 16, barrier, 1))
    put(DATA, bytes(GROUPS * GROUP))
    batch.begin(0x69041302 if pooled else 0x69041301)
    batch.vfe(threads=108 if pooled else 168, curbe_rows=128)
    if pooled:
        batch.pools(0x00777000)
    batch.curbe(STATES, 32 * 128)
    batch.descriptors(STATES + 0x2000, 32)
    if pooled:
        batch.gpgpu_walker(threads, GROUPS)
    else:  # a row is a group
        size = GROUPS << 16 | threads
        batch.walker([2 << 8, 0, GROUPS - 1, size, 0, 0, 1 << 16, 1, size, 0, threads, GROUPS << 16], scoreboard=False)
    put(BATCH, batch.end())
    for group in range(GROUPS):
        values = [thread + group for thread in range(threads)]
        for number in range(ROUNDS + 1):
            stream.expect(Batch.BASE + DATA + GROUP * group + PLANE * number, words(*values))
            values = [3 * values[n] + values[(n + threads // 2) % threads] & 0xFFFFFFFF for n in range(threads)]
    return stream


def main():
    gen9sim = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        for device, threads in (("bxt-3x6", 50), ("skl-gt2", 100)):
            path = pathlib.Path(folder, f"{device}.aub")
            build(threads, device == "bxt-3x6").save(path, Batch.BASE + BATCH)
            for mode in ("functional", "timed"):
                done = run(gen9sim, "replay", "--device", device, "--timing", mode, path)
                text = done.stdout + done.stderr
                expect(done.returncode == 0, f"{device}, {mode}: status {done.returncode}\n{text}")
                expect(f" {threads * GROUPS} " in text.replace(",", ""), f"{device}, {mode}: not all threads ran: {text}")
        # Subslices of eight EUs have no pools.
        done = run(gen9sim, "replay", pathlib.Path(folder, "bxt-3x6.aub"))
        expect(done.returncode not in (0, -6, -11) and "MEDIA_POOL_STATE" in done.stdout + done.stderr,
               f"Skylake: status {done.returncode}\n{done.stderr}")
    finish()


main()
