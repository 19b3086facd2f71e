#!/usr/bin/env python3
"""Runs the gallery of OpenCL, OpenGL and Vulkan programs on the model and prints a table (scripts/demo calls it).

    gallery.py [--timing functional|timed] [--output DIR] [--only NAME[,NAME...]]
"""
import argparse
import json
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = [
    ("vector_add", [], "one addition per item"),
    ("reduction", [], "shared local memory, barriers, global atomics"),
    ("matmul", ["64"], "tiled matrix multiply, 64 x 64"),
    ("histogram", [], "atomics on shared local memory"),
    ("mandelbrot", ["{out}/mandelbrot.png"], "divergent loops, 192 x 192"),
    ("photograph", ["{out}/photograph.png"], "bilinear reads of an image, 256 x 192"),
    ("motion_vectors", ["{out}/motion_vectors.png"], "motion estimation, 352 x 288"),
    ("nbody", [], "math functions"),
    ("bitonic_sort", [], "55 dependent kernels"),
    ("private_arrays", [], "private memory in scratch space"),
    ("range3d", [], "3-D range, offsets, partial groups"),
    ("gl_scenes", ["{out}", "strip", "mipmaps", "cube", "depth_crossing", "tess_points_32"], "OpenGL ES: shading, textures, depth, tessellation"),
    ("vulkan_scenes", ["{out}", "textured_cube"], "Vulkan: a textured cube"),
]


def texture_cache(report):
    """The samplers' counters of a run in one line, of all subslices together."""
    counters = {}
    nodes = [report["counters"]]
    while nodes:
        for name, value in nodes.pop().items():
            if name == "sampler":
                for counter, count in value.items():
                    counters[counter] = counters.get(counter, 0) + count
            elif isinstance(value, dict):
                nodes.append(value)
    line = f"{'':15} samplers: {counters['texels']:,} texels read for {counters['pixels']:,} samples"
    if not counters["lookups"]:
        return line
    missed = 100 * counters["misses"] / counters["lookups"]
    return line + f"; texture caches: {counters['lookups']:,} lines looked up, {missed:.1f} % missed"


def figure(totals, name, form):
    """A total; functional mode has no cycles and no times."""
    return format(totals[name], form) if name in totals else format("-", ">" + form.split(",")[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--timing", choices=("functional", "timed"), default="timed")
    parser.add_argument("--output", default=str(ROOT / "out" / "demo"))
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    out = pathlib.Path(options.output)
    out.mkdir(parents=True, exist_ok=True)
    only = set(filter(None, options.only.split(",")))
    print(f"{'program':15} {'result':7} {'EU instructions':>15} {'cycles':>11} {'simulated us':>13} {'host s':>7}  what it shows")
    failures = 0
    begin = time.monotonic()
    for name, arguments, note in PROGRAMS:
        if only and name not in only:
            continue
        stats = out / f"{name}.json"
        stats.unlink(missing_ok=True)
        command = [str(ROOT / "build" / "gen9sim"), "run", "--timing", options.timing, "--stats", str(stats),
                   "--report", str(out / f"{name}.html")]
        if name == "vector_add":
            command += ["--vcd", str(out / "vector_add.vcd")]
        command += ["--", str(ROOT / "build" / "gallery" / name)] + [a.format(out=out) for a in arguments]
        start = time.monotonic()
        run = subprocess.run(command, capture_output=True, text=True)
        seconds = time.monotonic() - start
        (out / f"{name}.log").write_text(run.stdout + run.stderr)
        passed = run.returncode == 0
        failures += not passed
        report = json.loads(stats.read_text()) if stats.exists() else {}
        totals = report.get("totals", {})
        print(f"{name:15} {'PASS' if passed else 'FAIL':7} {totals.get('instructions', 0):15,} {figure(totals, 'cycles', '11,')} "
              f"{figure(totals, 'simulated_us', '13,.2f')} {seconds:7.2f}  {note}", flush=True)
        if name == "photograph" and passed:
            print(texture_cache(report))
        if not passed:
            print("  status", run.returncode, "- last lines of", out / f"{name}.log")
            for line in (run.stdout + run.stderr).splitlines()[-6:]:
                print("   ", line)
    print(f"\n{time.monotonic() - begin:.1f} s in all. In {out}:")
    print("  vector_add.vcd, vector_add.gtkw   waveform: gtkwave vector_add.vcd vector_add.gtkw")
    print("  *.json                            statistics of each run")
    print("  *.html                            report of each run: where the time went, and why")
    print("  mandelbrot.png, photograph.png    the pictures the model computed; the other pictures it has drawn")
    print("  motion_vectors.png                how the blocks of a frame have moved")
    print(f"\nOpen {out}/matmul.html in a browser: the report of the matrix multiply.")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
