#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""pool_memory.py GEN9SIM: random programs of groups with shared local memory in thread pools of Broxton, whose threads run in
several subslices. Each program's stores, atomics and barriers are played here too, and the values it leaves must be the same.

The pools change between walkers: two of nine EUs, fifteen and three, all in one, one pool that is a subslice, and none, where a
group stays in a subslice and the third subslice shares the local memory of the first.
"""
import json
import pathlib
import random
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from checks import expect, finish, run
from stream import END, FENCED, WRITE, Batch, Stream, assemble, words

# Untyped messages as stream.py's, to shared local memory. An atomic returns the old value, which is not used.
LOCAL_READ, LOCAL_WRITE, LOCAL_ADD = 0x02106EFE, 0x04026EFE, 0x0410B7FE
CELLS = 8      # for atomics, at the start; then a value of each thread
CODE, CODE_STEP, STATES, BATCH, DATA, LEFT = 0, 0x4000, 0x80000, 0xF0000, 0x100000, 0x2000
MASK = 0xFFFFFFFF
# Map of MEDIA_POOL_STATE (none: no pools), and the threads of a group that its larger pool has room for, of at most 64.
POOLS = [(0x00777000, 54), (0x00700000, 64), (0, 64), (0x00777700, 64), (None, 36)]

# R1: where results go. R2: the thread's number in its group. R6: its value. R9: its own slot. R10: the group's results.
BEGIN = """
(W) shl (1|M0) r10.0<1>:ud r0.1<0;1,0>:ud 9:ud
(W) add (1|M0) r10.0<1>:ud r10.0<0;1,0>:ud r1.0<0;1,0>:ud
(W) mul (1|M0) r6.0<1>:ud r0.1<0;1,0>:ud 77:uw
(W) add (1|M0) r6.0<1>:ud r6.0<0;1,0>:ud r2.0<0;1,0>:ud
(W) shl (1|M0) r9.0<1>:ud r2.0<0;1,0>:ud 2:ud
(W) and (1|M0) r11.0<1>:ud r2.0<0;1,0>:ud 7:ud
(W) shl (1|M0) r11.0<1>:ud r11.0<0;1,0>:ud 2:ud
"""
CLEAR = f"""
(W) mov (1|M0) r20.0<1>:ud r11.0<0;1,0>:ud
(W) mov (1|M0) r21.0<1>:ud 0:ud
(W) send (1|M0) null r20:ud 0xC 0x{LOCAL_WRITE:x}"""
# Of a group over several data ports, local memory is in order only behind a fence (DP-027).
BARRIER = FENCED + """
(W) and (8|M0) r22.0<1>:ud r0.2<0;1,0>:ud 0x8F000000:ud
(W) mov (1|M0) n0.0<1>:ud 0x0:ud {Switch}
(W) send (1|M0) null r22:ud 0x3 0x02000004
(W) wait n0.0<0;1,0>:ud
"""
STORE = f"""
(W) add (1|M0) r20.0<1>:ud r9.0<0;1,0>:ud {4 * CELLS}:ud
(W) mov (1|M0) r21.0<1>:ud r6.0<0;1,0>:ud
(W) send (1|M0) null r20:ud 0xC 0x{LOCAL_WRITE:x}"""


def load(place):
    return f"""
(W) mov (1|M0) r23.0<1>:ud {place}
(W) send (1|M0) r24:ud r23:ud 0xC 0x{LOCAL_READ:x}
(W) mul (1|M0) r6.0<1>:ud r6.0<0;1,0>:ud 3:uw
(W) add (1|M0) r6.0<1>:ud r6.0<0;1,0>:ud r24.0<0;1,0>:ud"""


def leave(offset):
    return f"""
(W) add (1|M0) r20.0<1>:ud r10.0<0;1,0>:ud r9.0<0;1,0>:ud
(W) add (1|M0) r20.0<1>:ud r20.0<0;1,0>:ud {offset}:ud
(W) mov (1|M0) r21.0<1>:ud r6.0<0;1,0>:ud
(W) send (1|M0) null r20:ud 0xC 0x{WRITE:x}{FENCED}"""


def program(draw, threads):
    """Code, and what it makes of a group's number: a value of each thread."""
    code, rounds = BEGIN + CLEAR + BARRIER, []
    for _ in range(draw.randint(2, 5)):
        store_first, adds = draw.random() < 0.5, [(draw.randrange(CELLS), draw.randrange(1, 1 << 20)) for _ in range(draw.randint(0, 3))]
        loads = [("slot", draw.randrange(threads)) if draw.random() < 0.7 else ("cell", draw.randrange(CELLS))
                 for _ in range(draw.randint(1, 3))]
        parts = [f"""
(W) add (1|M0) r25.0<1>:ud r11.0<0;1,0>:ud {4 * turn}:ud
(W) and (1|M0) r25.0<1>:ud r25.0<0;1,0>:ud {4 * CELLS - 1}:ud
(W) add (1|M0) r26.0<1>:ud r6.0<0;1,0>:ud 0x{value:x}:ud
(W) send (1|M0) r27:ud r25:ud 0xC 0x{LOCAL_ADD:x}""" for turn, value in adds]
        parts.insert(0 if store_first else len(parts), STORE)
        code += "".join(parts) + BARRIER
        for kind, number in loads:
            if kind == "cell":
                code += load(f"{4 * number}:ud")
            else:  # of the thread so many after this one
                code += f"""
(W) add (1|M0) r7.0<1>:d r2.0<0;1,0>:d {number}:d
(W) cmp (1|M0) (ge)f0.0 null:d r7.0<0;1,0>:d {threads}:d
(W&f0.0) add (1|M0) r7.0<1>:d r7.0<0;1,0>:d -{threads}:d
(W) shl (1|M0) r7.0<1>:ud r7.0<0;1,0>:ud 2:ud
(W) add (1|M0) r7.0<1>:ud r7.0<0;1,0>:ud {4 * CELLS}:ud""" + load("r7.0<0;1,0>:ud")
        code += BARRIER
        rounds.append((adds, loads))

    def play(group):
        values, cells = [77 * group + thread for thread in range(threads)], [0] * CELLS
        for adds, loads in rounds:
            for turn, value in adds:
                for thread, own in enumerate(values):
                    cells[(thread + turn) % CELLS] += own + value
            slots = list(values)
            for kind, number in loads:
                for thread in range(threads):
                    other = cells[number] if kind == "cell" else slots[(thread + number) % threads]
                    values[thread] = 3 * values[thread] + other & MASK
        return values
    return code + leave(0) + END, play


def build(seed):
    """Six walkers, each with pools and a program of its own; nothing waits between them that need not."""
    draw, stream, batch = random.Random(seed), Stream(), Batch()

    def put(offset, data):
        stream.put(Batch.BASE + offset, data)
    batch.begin(0x69041302)
    batch.vfe(threads=108, curbe_rows=128)
    pooled_before, threads_of_all = False, 0
    for walker in range(6):
        pools, most = draw.choice(POOLS) if walker else POOLS[0]
        threads, groups = draw.choice([most, most - 1, draw.randint(CELLS, most)]), draw.randint(1, 7)
        code, play = program(draw, threads)
        put(CODE + CODE_STEP * walker, assemble(code))
        states, results = STATES + 0x4000 * walker, DATA + LEFT * walker
        put(states, b"".join(words(value, *[0] * 7) for value in (results, *range(threads))))
        size = draw.randint(1, 7)  # 1 KB to 64 KB; the slots need 512 bytes
        put(states + 0x2000, words(CODE + CODE_STEP * walker, 0, 0, 0, 0, 1 << 16, 1 << 21 | size << 16 | threads, 1))
        put(results, bytes(LEFT))
        if pools is not None:
            batch.pools(pools)
        elif pooled_before:
            batch.emit(0x70050004, 0, 0, 0, 0, 0)
        pooled_before = pools is not None
        batch.flush()
        batch.curbe(states, 32 * 128)
        batch.descriptors(states + 0x2000, 32)
        batch.gpgpu_walker(threads, groups)
        for group in range(groups):
            stream.expect(Batch.BASE + results + 512 * group, words(*play(group)))
        threads_of_all += threads * groups
    put(BATCH, batch.end())
    return stream, threads_of_all


def main():
    gen9sim, seeds = sys.argv[1], range(1, int(sys.argv[2]) + 1 if len(sys.argv) > 2 else 5)
    remote = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            path, counts = pathlib.Path(folder, "stream.aub"), pathlib.Path(folder, "statistics.json")
            stream, threads = build(seed)
            stream.save(path, Batch.BASE + BATCH)
            for mode in ("functional", "timed", "jitter"):
                options = ["--timing", "timed", "--set", "gpu.jitter_cycles=200", "--set", f"gpu.jitter_seed={seed}"] if mode == "jitter" else \
                    ["--timing", mode]
                done = run(gen9sim, "replay", "--device", "bxt-3x6", *options, "--stats", counts, path)
                text = done.stdout + done.stderr
                expect(done.returncode == 0, f"seed {seed}, {mode}: status {done.returncode}\n{text}")
                gpu = json.loads(counts.read_text())["counters"]["gpu"]
                expect(gpu["spawner"]["threads"] == threads, f"seed {seed}, {mode}: {gpu['spawner']['threads']} of {threads} threads ran")
                # What the data ports send goes through the crossbar to an SLM, once.
                crossbar, subslices = gpu["slice0"]["slm_crossbar"], [gpu["slice0"][f"subslice{n}"] for n in range(3)]
                passed = crossbar["local"] + crossbar["remote"]
                served = sum(s["slm"][what] for s in subslices for what in ("reads", "writes", "atomics"))
                asked = sum(s["hdc"]["slm_requests"] for s in subslices)
                expect(passed == served == asked, f"seed {seed}, {mode}: {asked} requests, {passed} passed, {served} served")
                if mode != "functional":
                    remote += crossbar["remote"]
                    expect(subslices[2]["slm"]["reads"] == 0, f"seed {seed}, {mode}: the product has two shared local memories")
    expect(remote > 0, "no request went to the local memory of another subslice")
    finish()


main()
