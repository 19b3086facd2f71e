# SPDX-License-Identifier: Apache-2.0
"""What the system tests share: running a command, and saying what was wrong."""
import json
import os
import pathlib
import subprocess
import sys

FAILURES = []


def run(*command, environment=None, timeout=280):
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=timeout,
                          env={**os.environ, **(environment or {})})


def expect(condition, text):
    if not condition:
        FAILURES.append(text)
        print("FAILED:", text)


def has_its_turn(index, of):
    """Of a list's cases every `of`-th has its turn in a usual run, as in tests/support/sample.h."""
    return bool(os.environ.get("GEN9_WHOLE")) or (index + int(os.environ.get("GEN9_SAMPLE_SEED") or 0)) % of == 0


def without_host(statistics):
    """Statistics without the host's name, date and time, which no two runs share."""
    statistics = json.loads(statistics)
    statistics["run"].pop("host")
    return json.dumps(statistics).encode()


def counter_sums(statistics):
    """The counters of a run's statistics by block and name, those of all places of a block together."""
    sums = {}
    nodes = [("", statistics["counters"])]
    while nodes:
        block, node = nodes.pop()
        for name, value in node.items():
            if isinstance(value, dict):
                nodes.append((name, value))
            else:
                sums[block, name] = sums.get((block, name), 0) + value
    return sums


def threads_of_stages(sums):
    """Threads that the stages of the 3D pipe started."""
    return sum(sums[stage, "threads"] for stage in ("vs", "hs", "ds", "gs")) + sum(sums["ps", f"threads_{width}"] for width in (8, 16, 32))


def expect_drawn(statistics):
    """The model drew, and what it tells of its draws one by one agrees with what the stages counted."""
    sums = counter_sums(statistics)
    expect(sums["vf", "draws"] > 0 and sums["render_target", "pixels"] > 0, "the model drew no pixel")
    threads = threads_of_stages(sums)
    draws = statistics["kernels"]
    expect(sum(draw["threads"] for draw in draws) == threads, f"threads of draws, and of stages: {threads}")
    told = sum(draw["instructions"] for draw in draws)
    expect(told == statistics["totals"]["instructions"] > 0, f"instructions of draws: {told}")
    # What the caches of the 3D pipe ask of L3 passes it by, beside push constants and what stream output writes.
    lines = -sum(sums[cache, "within_calls"] for cache in ("vf_cache", "render_cache", "depth_cache"))
    for part in ("vertices", "color", "control", "depth", "stencil"):
        lines += sum(sums[part, counter] for counter in ("misses", "fetched_again", "evictions", "flushed_lines"))
    bypasses = sum(count for (unit, counter), count in sums.items() if counter == "bypasses")
    beside = sums["sol", "lines"] + sum(sums[stage, "constant_bytes"] for stage in ("vs", "hs", "ds", "gs")) + sums["ps", "constants_read"]
    expect(lines <= bypasses <= lines + beside, f"lines of the caches: {lines}, bypasses of L3: {bypasses}")


def finish():
    print("failed" if FAILURES else "passed")
    sys.exit(1 if FAILURES else 0)


def vendor(pattern):
    """Path of the OpenCL driver file whose name contains the pattern."""
    found = sorted(p for p in pathlib.Path("/etc/OpenCL/vendors").glob("*.icd") if pattern in p.name)
    if not found:
        sys.exit(f"no OpenCL driver file matches '{pattern}'")
    return str(found[0])
