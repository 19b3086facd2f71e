#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the tables and pictures of README.md anew, from the results of the studies
(out/explore), or of those whose names are given.

    examples/exploration/tables.py [STUDY]...
"""
import pathlib
import re
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.append(str(ROOT / "scripts"))
import gen9explore  # noqa: E402


FIGURES = {"threads": "pareto", "banks": "response", "eus": "response", "registers": None, "units": None}


def table(header, rows):
    return "\n".join("| " + " | ".join(map(str, row)) + " |" for row in [header, ["---"] * len(header), *rows]) + "\n"


def cycles(points, program, **settings):
    """Of the point of a program with these settings, the dots in their names written as underscores."""
    found = points[points["program"] == program]
    for name, value in settings.items():
        found = found[found[name.replace("_", ".", 1)] == value]
    return int(found["cycles"].iloc[0])


def registers(points):
    programs = ["mandelbrot", "matmul", "md5", "wave", "arrays"]
    machines = [(file, kind, n) for file in (896, 448) for kind in ("fixed", "used") for n in (7, 11, 16) if kind == "used" or n == 7]
    rows = [[file, kind, n] + [cycles(points, p, eu_registers=file, eu_register_allocation=kind, eu_threads=n) for p in programs]
            for file, kind, n in machines]
    return table(["registers of an EU", "allocation", "slots", "mandelbrot", "matmul 128", "md5", "wave 128", "arrays 8192"], rows)


def units(points):
    product = {"eu.fpus": 1, "eu.em_units": 1, "eu.send_units": 1, "gpu.slm_kb": 64, "l3.write_misses": "pass", "l3.writes": "back"}
    changes = [{}, {"eu.fpus": 2}, {"eu.em_units": 2}, {"eu.send_units": 2}, {"gpu.slm_kb": 16}, {"gpu.slm_kb": 128},
               {"l3.write_misses": "allocate"}, {"l3.writes": "through"}]
    rows = []
    for change in changes:
        settings = {name.replace(".", "_", 1): value for name, value in {**product, **change}.items()}
        names = ", ".join(f"`{name}={value}`" for name, value in change.items()) or "the product"
        rows.append([names] + [cycles(points, p, **settings) for p in ("mandelbrot", "matmul")])
    return table(["machine", "mandelbrot", "matmul 128"], rows)


def threads(points):
    columns = [(p, 100) for p in ("mandelbrot", "matmul", "wave", "arrays")] + [("wave", 400)]
    rows = [[n] + [cycles(points, p, eu_threads=n, dram_latency=latency) for p, latency in columns] for n in range(2, 8)]
    return table(["threads of an EU", "mandelbrot", "matmul 128", "wave 128", "arrays 8192", "wave, DRAM 300 cycles further"], rows)


def banks(points):
    product = (4, 16, 99)
    machines = [(1, 16, 99), (2, 16, 99), product, (8, 16, 99), *((4, n, 99) for n in (4, 8, 32, 64)), (4, 16, 50), (4, 16, 200)]
    rows = []
    for machine in machines:
        names = [f"{value} (the product)" if machine == product else value for value in machine]
        rows.append(names + [cycles(points, p, gpu_l3_banks=machine[0], slm_banks=machine[1], slm_latency=machine[2])
                             for p in ("matmul", "reduction", "histogram")])
    return table(["banks of L3", "banks of SLM", "latency of SLM", "matmul 128", "reduction", "histogram 65536"], rows)


def eus(points):
    programs = ["mandelbrot", "matmul", "md5", "reduction", "wave", "arrays"]
    machines = sorted(((s, n) for s in (1, 2, 3) for n in (4, 6, 8)), key=lambda m: (m[0] * m[1] * 3, m[0]))
    rows = [[f"{s} x {n}", s * n * 3] + [cycles(points, p, gpu_slices=s, gpu_eus=n) for p in programs] for s, n in machines]
    return table(["slices x EUs", "EUs", "mandelbrot", "matmul 128", "md5", "reduction", "wave 256", "arrays 16384"], rows)


def main():
    path = HERE / "README.md"
    text = path.read_text()
    for name in sys.argv[1:] or FIGURES:
        results = ROOT / "out" / "explore" / name
        made = globals()[name](gen9explore.load(results).wide())
        if FIGURES[name]:
            shutil.copy(results / "figures" / f"{FIGURES[name]}.png", ROOT / "docs" / "pictures" / f"study_{name}.png")
        text = re.sub(rf"(<!-- {name} -->\n).*?(<!-- end -->)", lambda found: found[1] + made + found[2], text, flags=re.S)
    path.write_text(text)


main()
