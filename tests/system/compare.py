# SPDX-License-Identifier: Apache-2.0
"""compare.py GEN9SIM SOURCE: gen9sim compare says what differs, in settings and results, largest first."""
import html.parser
import json
import pathlib
import re
import sys
import tempfile

from checks import expect, finish, run

gen9sim, traces = sys.argv[1], pathlib.Path(sys.argv[2]) / "traces"
folder = tempfile.TemporaryDirectory()
base = pathlib.Path(folder.name)


def statistics(name, *options):
    done = run(gen9sim, "replay", "--stats", base / name, *options, traces / "prefix_sum/stream.aub.zst")
    expect(done.returncode == 0, f"{options}: {done.stderr}")
    return base / name


def compare(*words, status=0):
    done = run(gen9sim, "compare", *words)
    expect(done.returncode == status, f"compare {words}: status {done.returncode}: {done.stderr}")
    return done.stdout if status == 0 else done.stderr


product, narrow = statistics("product.json"), statistics("narrow.json", "--set", "eu.threads=1", "--set", "gpu.l3_banks=1")
shown = compare(product, narrow)
expect(re.search(r"gpu\.slice\.subslice\.eu\.threads \(threads\) +7 +1\n", shown) and re.search(r"gpu\.l3_banks +4 +1\n", shown), f"settings:\n{shown}")
cycles = [json.loads(path.read_text())["totals"]["cycles"] for path in (product, narrow)]
change = re.escape(f"({(cycles[1] / cycles[0] - 1) * 100:+.1f} %)")
expect(re.search(rf"cycles +{cycles[0]} +{cycles[1]} {change}", shown), f"{cycles}, {change}:\n{shown}")
expect(not re.search(r"^  instructions ", shown, re.M), f"figures that are the same are shown:\n{shown}")

# The same run: no difference but the host's.
same = compare(product, statistics("again.json"))
expect(same.count("no difference") == 3 and "Kernel" not in same, f"the same run twice:\n{same}")

# Made-up runs, whose differences are known: kernels by cycles, figures by ratio, kernels in order when the addresses moved.
known = json.loads(product.read_text())


def made(name, kernels, counters=None, **changes):
    launches = [{"kernel_start": start, "finished": True, "simd_width": 16, "groups": [1, 1, 1], "threads": 1, "instructions": 100,
                 "messages": 1, "begin_cycle": 0, "cycles": cycles, "l3_hits": hits, "l3_misses": 10, "l3_bytes": 64, "slm_bytes": 0}
                for start, cycles, hits in kernels]
    (base / name).write_text(json.dumps({**known, "kernels": launches, "counters": counters or {}, **changes}))
    return base / name


a = made("a.json", [("0x1000", 1000, 10), ("0x2000", 50, 10)], {"gpu": {"eu0": {"busy": 1, "idle": 4}, "eu1": {"busy": 2, "idle": 4}}})
b = made("b.json", [("0x7000", 1010, 40), ("0x8000", 500, 10)], {"gpu": {"eu0": {"busy": 12, "idle": 4}, "eu1": {"busy": 12, "idle": 8}}})
shown = compare(a, b)
kernels = re.split(r"\nKernel ", shown.split("\nCounters")[0])[1:]
expect([k.split()[0] for k in kernels] == ["0x2000", "0x1000"], f"order of kernels:\n{shown}")
named = json.loads(a.read_text())
for launch in named["kernels"]:
    launch["name"] = {"0x1000": "first", "0x2000": "second"}[launch["kernel_start"]]
(base / "named.json").write_text(json.dumps(named))
expect(re.findall(r"^Kernel (.*)$", compare(base / "named.json", b), re.M) == ["second (0x2000 SIMD16)", "first (0x1000 SIMD16)"], "names of kernels")
expect(re.search(r"cycles +50 +500 \(\+900\.0 %\)", kernels[0]), kernels[0])
figures = re.findall(r"^  (\w+) +[\d.]", kernels[1], re.M)
expect(figures[0] == "l3_hits" and figures.index("l3_hit_rate") < figures.index("cycles"), f"order of figures: {figures}")
expect(re.search(r"l3_hit_rate +0\.500 +0\.800 \(\+60\.0 %\)", kernels[1]), kernels[1])
expect(re.search(r"gpu\.eu\.busy +3 +24 \(\+700\.0 %\)\n +gpu\.eu\.idle +8 +12 \(\+50\.0 %\)", shown), f"counters:\n{shown}")
shown = compare("--counters", "1", a, b)
expect("gpu.eu.busy" in shown and "gpu.eu.idle" not in shown and "the 1 of 2 that differ most" in shown, f"--counters 1:\n{shown}")
c = made("c.json", [("0x1000", 2000, 10)])
shown = compare(a, c)
expect("Kernel 0x1000" in shown and re.search(r"Kernel 0x2000[^K]*cycles +50 +-", shown), f"a kernel that is missing:\n{shown}")

# Of a run that was timed in part: rates are of the launches whose cycles are summed, and not of those that warm the caches.
timing = ("functional", "warming", "timed", "timed")
part = json.loads(made("part.json", [("0x1000", 100 * (n + 1), 10) for n in range(4)]).read_text())
for launch, word in zip(part["kernels"], timing):
    launch["timing"] = word
    for name in ("cycles", "l3_hits", "l3_misses") if word == "functional" else ():
        del launch[name]
part.update(timing="mixed", totals={**known["totals"], "kernels": 4, "instructions": 400, "cycles": 700, "timed_instructions": 200})
older = {**part, "totals": {name: value for name, value in part["totals"].items() if name != "timed_instructions"}}
for name, statistics_of in (("part.json", part), ("older.json", older)):
    (base / name).write_text(json.dumps(statistics_of))
    shown = compare(base / name, a)
    expect(re.search(r"\nTotals\n(?:(?!\n\n).)*\n  ipc +0\.286 ", shown, re.S), f"{name}: ipc of the run, 200 instructions in 700 cycles:\n{shown}")
    kernel = shown[shown.index("Kernel 0x1000"):]
    for figure, value in (("cycles", 700), ("l3_hits", 20), ("timed_instructions", 200), ("ipc", "0.286"), ("instructions", 400), ("l3_bytes", 256)):
        expect(re.search(rf"\n  {figure} +{value} ", kernel), f"{name}: {figure} of the kernel is not {value}:\n{kernel}")

# The page holds what the table holds, and all counters; text from outside is escaped.
class Cells(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.texts, self.tags = [], set()

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)

    def handle_data(self, data):
        self.texts.append(data)


evil = made("evil.json", [], run={**known["run"], "program": ["<script>&"]})
compare("--html", base / "page.html", "--counters", "1", a, b)
cells = Cells()
cells.feed((base / "page.html").read_text())
expect("gpu.eu.busy" in cells.texts and "gpu.eu.idle" in cells.texts and "500 (+900.0 %)" in cells.texts, f"page: {cells.texts}")
compare("--html", base / "evil.html", a, evil)
cells.feed((base / "evil.html").read_text())
expect("script" not in cells.tags and any("<script>&" in text for text in cells.texts), "the page does not escape")

# Wrong files: one line.
for name, text in (("empty.json", ""), ("list.json", "[]"), ("other.json", "{}"), ("old.json", '{"version": 1, "counters": {}}'),
                   ("short.json", '{"version": 3, "counters": {}}'), ("cut.json", product.read_text()[:999]),
                   ("odd.json", json.dumps({**known, "kernels": [3]})), ("odd2.json", json.dumps({**known, "totals": {"cycles": "x"}}))):
    (base / name).write_text(text)
    said = compare(product, base / name, status=2)
    expect(len(said.strip().splitlines()) == 1, f"{name}: {said}")
expect("version 1" in compare(product, base / "old.json", status=2), "a file of another version")
for words in ((), (product,), (product, "/nonexistent.json"), ("--html", "/nonexistent/page.html", product, product), ("--counters", "x", a, b)):
    said = compare(*words, status=2)
    expect(len(said.strip().splitlines()) == 1, f"{words}: {said}")
finish()
