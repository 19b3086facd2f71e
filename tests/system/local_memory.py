# SPDX-License-Identifier: Apache-2.0
"""local_memory.py GEN9SIM: how many groups run at a time follows from the local memory of a subslice; an OpenCL program gives the same results."""
import json
import pathlib
import sys
import tempfile

from checks import expect, finish, run

gen9sim = sys.argv[1]

# 24 groups of a thread with 32 KB each: a subslice of the product holds two at a time.
SOURCE = """kernel void turn(global int *p, local int *room, int words) {
    int me = get_local_id(0), group = get_group_id(0);
    for (int i = me; i < words; i += 16)
        room[i] = p[i % 16 + group * 16] + i;
    int sum = 0;
    for (int i = me; i < words; i += 16)
        sum += room[words - 1 - i] ^ i;
    barrier(CLK_LOCAL_MEM_FENCE);
    p[me + group * 16] = sum;
}
"""
PROGRAM = f"""
import sys, numpy, pyopencl as cl
size = int(sys.argv[1])
context = cl.Context([cl.get_platforms()[0].get_devices()[0]])
queue = cl.CommandQueue(context)
groups, words = 24, size // 4
given = numpy.arange(groups * 16, dtype=numpy.int32)
buffer = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=given)
kernel = cl.Program(context, {SOURCE!r}).build().turn
kernel.set_args(buffer, cl.LocalMemory(size), numpy.int32(words))
cl.enqueue_nd_range_kernel(queue, kernel, (groups * 16,), (16,)).wait()
got = numpy.empty_like(given)
cl.enqueue_copy(queue, got, buffer)
i = numpy.arange(words)
room = given.reshape(groups, 16)[:, i % 16] + i
wanted = (room[:, ::-1] ^ i).reshape(groups, -1, 16).sum(axis=1).astype(numpy.int32)
sys.exit(0 if (got.reshape(groups, 16) == wanted).all() else "wrong results")
"""


def run_it(settings, size=32768, timing="timed", environment=None):
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "run.json"
        words = [word for setting in settings for word in ("--set", setting)]
        done = run(gen9sim, "run", "--timing", timing, "--stats", report, *words, "--", "/usr/bin/python3", "-c", PROGRAM, size,
                   environment={"PYOPENCL_NO_CACHE": "1", **(environment or {})})
        return done, json.loads(report.read_text())["totals"].get("cycles", 0) if report.exists() else 0


cycles = {}
for kilobytes in (32, 64, 100, 128, 256):
    done, cycles[kilobytes] = run_it([f"gpu.slm_kb={kilobytes}"])
    expect(done.returncode == 0, f"gpu.slm_kb={kilobytes}: status {done.returncode}: {done.stdout}{done.stderr}")
# One, two, three, four and eight groups of a subslice at a time, of eight in all.
expect(cycles[32] > 1.4 * cycles[64] and cycles[64] > 1.1 * cycles[100] and cycles[100] > 1.02 * cycles[128] > 1.02 * 1.1 * cycles[256],
       f"cycles by KB of local memory: {cycles}")
done, _ = run_it(["gpu.slm_kb=128"], timing="functional")
expect(done.returncode == 0, f"functional: status {done.returncode}: {done.stdout}{done.stderr}")
done, _ = run_it(["gpu.slm_kb=16"])
expect(done.returncode != 0 and "32 KB of shared local memory; a subslice has 16 KB" in done.stderr, f"16 KB: status {done.returncode}: {done.stderr}")
# The driver passes on what a group asks for, also where it is more than the machine's 64 KB.
done, _ = run_it(["gpu.slm_kb=128"], size=131072)
expect(done.returncode == 0, f"a group of 128 KB: status {done.returncode}: {done.stdout}{done.stderr}")
# Of 256 KB a subslice has room for one, which gives it back for the next.
done, _ = run_it(["gpu.slm_kb=256"], size=262144)
expect(done.returncode == 0, f"groups of 256 KB: status {done.returncode}: {done.stdout}{done.stderr}")
done, _ = run_it([], size=131072)
expect(done.returncode != 0 and "reserved shared local memory size 8" in done.stderr, f"a group of 128 KB on the product: {done.returncode}: {done.stderr}")
finish()
