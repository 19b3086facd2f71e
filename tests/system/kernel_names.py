# SPDX-License-Identifier: Apache-2.0
"""kernel_names.py GEN9SIM GALLERY SOURCE: launches have the names, sizes and queues of the program's enqueues, by both doors."""
import collections
import json
import os
import pathlib
import re
import sys
import tempfile

import jsonschema
from checks import expect, finish, run

# With kernels at hand Intel's driver hangs in user_events by the simulator socket: clFinish looks at its tag and never asks for it.
os.environ.pop("cl_cache_dir", None)

gen9sim, gallery, source = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
validator = jsonschema.Draft202012Validator(json.loads((source / "docs/statistics.schema.json").read_text()))
folder = tempfile.TemporaryDirectory()


def launches(program, *options):
    path = pathlib.Path(folder.name) / "run.json"
    done = run(gen9sim, "run", "--stats", path, *options, "--", gallery / program)
    expect(done.returncode == 0, f"{program} {options}: status {done.returncode}: {done.stderr}")
    report = json.loads(path.read_text())
    for error in validator.iter_errors(report):
        expect(False, f"{program} {options}: {error.json_path}: {error.message}")
    return report["kernels"], done.stderr, report


# A program built with -g has the lines of its source.
SOURCE = """kernel void scale(global int *p) {
    int i = get_global_id(0);
    int sum = p[i] * 3;
    for (int k = 0; k < 5; ++k)
        sum = sum * sum + k;
    p[i] = sum;
}
"""
PROGRAM = f"""
import numpy, pyopencl as cl
context = cl.Context([cl.get_platforms()[0].get_devices()[0]])
queue = cl.CommandQueue(context)
buffer = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=numpy.arange(64, dtype=numpy.int32))
kernel = cl.Program(context, {SOURCE!r}).build(options=["-g"]).scale
kernel.set_arg(0, buffer)
cl.enqueue_nd_range_kernel(queue, kernel, (64,), (16,)).wait()
other = cl.Buffer(context, 0, 4096)
cl.enqueue_fill_buffer(queue, other, numpy.int32(7), 0, 4096).wait()
cl.enqueue_copy(queue, other, buffer).wait()
"""
OF_PROGRAM = ["scale", "driver: fill", "driver: copy"]


def of_program(launch):
    return not launch.get("name", "driver: ").startswith("driver: ")


def lines_of_source():
    path, timeline = pathlib.Path(folder.name) / "lines.json", pathlib.Path(folder.name) / "lines.pftrace"
    # From its cache pyopencl gives binaries, which have no source.
    done = run(gen9sim, "run", "--stats", path, "--timeline", timeline, "--", sys.executable, "-c", PROGRAM, environment={"PYOPENCL_NO_CACHE": "1"})
    expect(done.returncode == 0, f"the program with -g: status {done.returncode}: {done.stderr}")
    for name in OF_PROGRAM:
        expect(f"{name} SIMD".encode() in timeline.read_bytes(), f"the timeline does not name '{name}'")
        expect(re.search(rf"^{name} +\d", done.stderr, re.M), f"the table does not name '{name}':\n{done.stderr}")
    report = json.loads(path.read_text())
    for error in validator.iter_errors(report):
        expect(False, f"-g: {error.json_path}: {error.message}")
    expect([k.get("name") for k in report["kernels"]] == OF_PROGRAM and "-g" in report["kernels"][0]["build_options"], f"-g: {report['kernels']}")
    lines = SOURCE.split("\n")
    shown = [i for i in report["code"][0]["instructions"] if "line" in i]
    expect(len(shown) > len(report["code"][0]["instructions"]) / 2, "most instructions have no line")
    for i in shown:
        expect(i["source"] == lines[i["line"] - 1], f"{i['text']}: line {i['line']} is not '{i['source']}'")
    multiplies = {i["line"] for i in shown if re.match(r"(\(.*\) )?(mul|mad|mach)", i["text"])}
    expect(multiplies & {3, 5}, f"multiplications are at lines {multiplies}")
    writes = [i["line"] for i in shown if "send" in i["text"] and "EOT" not in i["text"]]
    expect(writes and set(writes) <= {3, 6, 7}, f"accesses of memory are at lines {writes}")


lines_of_source()
for door in ("tbx", "drm"):
    for timing in ("functional", "timed"):
        what = f"{door} {timing}"
        # Kernels of the program's source, in the order in which it enqueues them.
        kernels, shown, report = launches("reduction", "--door", door, "--timing", timing)
        names = re.findall(r"kernel void (\w+)", (source / "tests/system/opencl/algorithms/reduction.cl").read_text())
        named = [k for k in kernels if of_program(k)]
        expect(named and {k["name"] for k in named} <= set(names), f"{what}: {[k.get('name') for k in kernels]} of {names}")
        expect(all(name in shown for name in {k["name"] for k in named}), f"{what}: the table shows no name:\n{shown}")
        expect([k["event"] for k in named] == sorted(k["event"] for k in named), f"{what}: the enqueues are out of order")
        for k in named:
            sizes = zip(k["global_size"], k.get("local_size", k["global_size"]))
            expect("local_size" not in k or k["groups"] == ([-(-g // l) for g, l in sizes] + [1, 1])[:3],
                   f"{what}: {k['name']} of {k['global_size']} by {k.get('local_size')} has groups {k['groups']}")
            expect(k["queue"] == 0 and k["program"] == 0, f"{what}: queue {k['queue']}, program {k['program']}")
        expect(all(k["context"] == 0 for k in named), f"{what}: contexts {[k['context'] for k in named]}")
        if timing == "timed":
            expect({c["name"] for c in report["code"] if of_program(c)} == {k["name"] for k in named}, f"{what}: code has other names")
    # Equal launches of four queues in three contexts, from threads; and the same in two processes at once.
    program = gallery / "contexts"
    for processes in (1, 2):
        what = f"contexts by {door}, {processes} processes"
        path = pathlib.Path(folder.name) / f"{door}-{processes}.json"
        done = run(gen9sim, "run", "--door", door, "--timing", "functional", "--stats", path, "--", "sh", "-c", f"{program} & " * (processes - 1) + f"{program} && wait")
        expect(done.returncode == 0, f"{what}: status {done.returncode}: {done.stderr}")
        for file in [path] + [path.with_stem(f"{path.stem}-{n}") for n in range(2, processes + 1)]:
            by_queue = collections.defaultdict(dict)
            for k in json.loads(file.read_text())["kernels"]:
                if of_program(k):
                    expect(k["event"] not in by_queue[k["queue"]], f"{what}: enqueue {k['event']} is two launches")
                    by_queue[k["queue"]][k["event"]] = k
            ordered = {q: [k for _, k in sorted(events.items())] for q, events in by_queue.items()}
            expect({q: len(of) for q, of in ordered.items()} == {0: 40, 1: 40, 2: 41, 3: 41}, f"{what}: launches of queues {({q: len(of) for q, of in ordered.items()})}")
            expect([sorted({k["context"] for k in ordered[q]}) for q in range(4)] == [[0], [1], [2], [2]], f"{what}: contexts of queues are mixed up")
            first, step = ordered[0][0]["instructions"], (ordered[0][1]["instructions"] - ordered[0][0]["instructions"]) / 4
            for q, of in ordered.items():
                for i, k in enumerate(of):
                    expect(k["instructions"] == first + step * (4 * i + q), f"{what}: launch {i} of queue {q} has the work of another: {k['instructions']}")
    # Launches that user events hold back, set in another order. Those of an event that fails are not launched.
    for timing in ("functional", "timed"):
        what = f"user_events by {door}, {timing}"
        kernels, _, _ = launches("user_events", "--door", door, "--timing", timing)
        named = {k["event"]: k for k in kernels if of_program(k)}
        expect(sum(map(of_program, kernels)) == len(named) and set(named) == set(range(84)) - {20, 21}, f"{what}: {sorted(named)}")
        first, step = named[0]["instructions"], named[1]["instructions"] - named[0]["instructions"]
        wrong = [event for event, k in named.items() if k["instructions"] != first + step * event]
        expect(step > 0 and not wrong, f"{what}: enqueues with the work of others: {wrong}")
finish()
