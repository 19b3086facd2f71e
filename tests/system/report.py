# SPDX-License-Identifier: Apache-2.0
"""report.py GEN9SIM SOURCE CHROMIUM: the page of a run shows what its statistics say, by itself and fast."""
import copy
import html
import json
import pathlib
import re
import sys
import tempfile

from checks import expect, finish, run

gen9sim, source, chromium = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
capture = source / "traces/prefix_sum/stream.aub.zst"
temporary = tempfile.TemporaryDirectory()
folder = pathlib.Path(temporary.name)
statistics_path, page = folder / "run.json", folder / "run.html"


def dom(path, shown=""):
    """The document as the page's script leaves it, and its text."""
    done = run(chromium, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/browser", "--enable-logging=stderr",
               "--dump-dom", f"file://{path}#{shown}")
    for line in done.stderr.splitlines():
        expect("CONSOLE" not in line, f"{path.name}: {line}")
    document = done.stdout[done.stdout.find("<header"):done.stdout.find('<script type="application/json"')]
    return document, html.unescape(re.sub("<[^>]*>", " ", document))


def shows(statistics, shown=""):
    path = folder / "made.json"
    path.write_text(json.dumps(statistics))
    made = run(gen9sim, "report", path, "-o", folder / "made.html")
    expect(made.returncode == 0, f"report: {made.returncode} {made.stderr}")
    return dom(folder / "made.html", shown)


def sum_of(tree, pattern, path=""):
    if isinstance(tree, dict):
        return sum(sum_of(inner, pattern, f"{path}.{name}") for name, inner in tree.items())
    return tree if re.search(pattern, path) else 0


done = run(gen9sim, "replay", "--stats", statistics_path, "--report", page, capture)
expect(done.returncode == 0, f"replay --report: {done.returncode} {done.stderr}")
statistics = json.loads(statistics_path.read_text())
counters, kernel = statistics["counters"], statistics["kernels"][0]
text_of_page = page.read_text()

# One file that needs nothing else.
expect(not re.search(r"<(script|link|img|iframe)[^>]*(src|href)=|@import|url\(|fetch\(\"", re.sub(r"<script>// https://d3js.*?</script>", "", text_of_page, flags=re.S)
                     .replace('url(#tip)', "")), "the page refers to other files")

# The same page from the statistics.
again = folder / "again.html"
expect(run(gen9sim, "report", statistics_path, "-o", again).returncode == 0 and again.read_text() == text_of_page,
       "report makes another page of the statistics than --report")
expect(run(gen9sim, "report", statistics_path).returncode == 0 and page.read_text() == text_of_page, "the page's own name")

document, text = dom(page)
expect("replay" in text and "prefix_sum" in text and "skl-gt2, timed mode, 1150 MHz" in text, f"what was run: {text[:200]}")
expect(f"{statistics['totals']['instructions']} EU instructions" in re.sub(r"\s+", " ", text), "EU instructions")
expect(kernel["kernel_start"] in text and "1 kernel, 1 launch, by time" in text, "list of kernels")

# Where the time went, added up here once more.
cycles = sum_of(counters, r"\.eu\d+\.cycles$")


def percent(part, whole):
    value = 100 * part / whole
    return f"{value:.0f} %" if value >= 10 or value == 0 else f"{value:.1f} %"


for counter, words in (("busy", "a unit is occupied"), ("stall_fetch", "waits for instructions"), ("idle", "no thread is loaded"),
                       ("stall_barrier", "waits for a barrier")):
    expected = f"{words} {percent(sum_of(counters, rf'eu[0-9]+.{counter}$'), cycles)}"
    expect(expected in text, f"not shown: {expected}")
expect(document.count("<title>slice0.subslice") == 24, f"{document.count('<title>slice0.subslice')} EUs")

# What happened over time: an area for each use of EU cycles that there was, and the line of the threads. The rows add up to the run.
series = statistics["over_time"]
rows = [dict(zip(series["columns"], row)) for row in series["rows"]]
expect(0 < len(rows) <= 512 and rows[-1]["cycle"] == statistics["totals"]["engine_cycles"], f"{len(rows)} rows over time, to {rows[-1:]}")
expect(sum(row["instructions"] for row in rows) == statistics["totals"]["instructions"], "instructions over time")
expect(sum(row["eu_busy"] for row in rows) == sum_of(counters, r"eu[0-9]+.busy$"), "busy cycles over time")
expect(max(row["threads"] for row in rows) <= kernel["threads"] and max(row["threads"] for row in rows) > 0, "threads over time")
for shown, title in ((document, "Whole run"), (dom(page, "0")[0], "a kernel")):
    part = shown[shown.find("EUs and threads over time"):shown.find("Speed of light")]
    expect(part.count("<path") >= 12 and "threads loaded, of 168" in part, f"{title}: nothing over time")

# The message that most waiting is for: 0xc0 writes r16, which the read at 0xa0 returns.
causes = text[text.find("Largest causes"):text.find("Where the EU cycles")]
expect("at 0xc0, for the message at 0xa0 (untyped surface read with x)" in causes, f"causes: {causes}")

# Source lines beside the instructions, once there are any.
lined = copy.deepcopy(statistics)
for at, instruction in enumerate(lined["code"][0]["instructions"]):
    instruction.update(line=3 + at // 20, source=f"text of line {3 + at // 20}")
document, text = shows(lined)
first = lined["code"][0]["instructions"][:20]
row = re.search(r"<div class=\"row\"[^>]*>(?:(?!<div class=\"row).)*text of line 3<", document, re.S)
expect(row and f">{sum(i['executions'] for i in first):,}<" in row.group(0), "executions of a source line")
expect("for the message at 0xa0, line 3 (" in text and "at 0xc0, line 3, " in text and "at all instructions of that line" in text, f"causes do not name lines: {text[:1500]}")

# The machine's limits: skl-gt2 has 22 bytes a cycle of DRAM, 4 banks of 64 bytes, 3 x 2 x 64 of SLM.
machine = statistics["run"]["machine"]
expect(machine == {"slices": 1, "subslices": 3, "eus": 24, "threads": 168, "fpus": 24, "em_units": 24, "channels_per_cycle": 192,
                   "l3_bytes_per_cycle": 256, "slm_bytes_per_cycle": 384, "gti_bytes_per_cycle": 128, "dram_bytes_per_cycle": 22}, f"machine: {machine}")
other = json.loads((run(gen9sim, "replay", "--stats", folder / "o.json", "--set", "gpu.l3_banks=2", "--set", "dram.bytes_per_cycle=11", "--set", "gpu.clock_hz=2300000000",
                        "--set", "eu0.threads=5", capture), (folder / "o.json").read_text())[1])["run"]["machine"]
expect((other["l3_bytes_per_cycle"], other["dram_bytes_per_cycle"], other["threads"]) == (128, 5.5, 168 - 3 * 2), f"other machine: {other}")
dram = sum_of(counters, r"dram\.(read|written)_bytes$") / statistics["totals"]["engine_cycles"]
expect(f"{dram:.1f} of 22 B a cycle" in text, "DRAM against its limit")

# What is missing is left out with a sentence, and the rest is there.
bare = copy.deepcopy(statistics)
del bare["run"]["machine"]
bare.pop("code", None)
_, text = shows(bare)
expect("the statistics do not say the machine's limits" in text and "the statistics have no executions by address" in text, "what is left out")
functional = folder / "functional.json"
run(gen9sim, "replay", "--timing", "functional", "--stats", functional, capture)
_, text = shows(json.loads(functional.read_text()))
expect("Functional mode has no cycles" in text and "by instructions" in text, "functional mode")
expect("NaN" not in text and "undefined" not in text and "cycles  " not in text, "functional mode shows what has no value")
expect("Memory" not in text, "functional mode shows traffic that it did not have")

# Of a run that was timed in part, what was timed.
mixed = folder / "mixed.json"
run(gen9sim, "replay", "--timed-kernels", "2", "--warm", "1", "--stats", mixed, source / "traces/image_samples/stream.aub.zst")
mixed = json.loads(mixed.read_text())
timed_launches = [launch for launch in mixed["kernels"] if launch["timing"] == "timed"]
_, text = shows(mixed)
text = re.sub(r"\s+", " ", text)
expect(len(timed_launches) == 1 and "Of 3 launches: 1 timed, 1 to warm the caches, 1 in functional mode" in text, f"mixed: {text[:500]}")
expect(re.search(rf"\b{mixed['totals']['cycles']} cycles", text) and f"{sum(l['instructions'] for l in timed_launches)} EU instructions" in text, f"mixed: totals: {text[:900]}")
expect("NaN" not in text and "undefined" not in text, "a run timed in part shows what has no value")

# What went wrong, in the number that it has.
wrong = copy.deepcopy(statistics)
wrong["totals"].update(guest_errors=1, hangs=2, unfinished=1)
expect("1 guest error, 2 hangs, 1 launch cut off by a stop" in shows(wrong)[1], "what went wrong")

# Kernels of one name are told apart, and a launch says where it comes from.
twins = copy.deepcopy(statistics)
twins["kernels"] = [{**kernel, "number": n, "name": "twin", "program": n, "build_options": "-O", "context": 0, "queue": n, "event": 7 + n} for n in range(2)]
_, text = shows(twins, "0")
expect("twin (program 0)" in text and "twin (program 1)" in text, f"kernels of one name: {text[:400]}")
expect("built with -O; context 0; queue 0; enqueue 7 of the process" in text, f"where a launch comes from: {text[:1200]}")

# Names cannot become part of the page.
hostile = copy.deepcopy(statistics)
hostile["run"]["program"] = ["</script><b id='injected'>x</b><!--<script>"]
document, text = shows(hostile)
expect("<b id=" not in document and "injected" in text, "a name became an element")

# 10,000 kernels of a launch each. What opening them takes depends on the bytes to read and the elements to lay out. How long they took
# to draw is printed, for who looks.
many = copy.deepcopy(statistics)
many["kernels"] = [{**kernel, "number": n, "kernel_start": hex(0x1000 + 64 * n), "cycles": 10 + n} for n in range(10_000)]
if many.get("code"):
    many["code"] = [{**many["code"][0], "kernel_start": k["kernel_start"], "launches": [k["number"]]} for k in many["kernels"][:100]]
many["totals"]["kernels"] = 10_000
document, text = shows(many)
drawn = re.search(r'data-drawn="(\d+)"', document)
print("10,000 kernels:", drawn and drawn.group(1), "ms")
expect("10,000 kernels" in text and drawn is not None, "10,000 kernels")
size, elements = (folder / "made.html").stat().st_size, len(re.findall(r"<[a-z]", document))
print(f"{size:,} bytes, {elements:,} elements")
expect(size < 13_000_000, f"the page of 10,000 kernels has {size:,} bytes")
expect(500 < elements < 2_000, f"the page of 10,000 kernels has {elements:,} elements")
expect(hex(0x1000 + 64 * 9999) in text and hex(0x1000 + 64 * 5000) not in text, "the slowest comes first, and only what is in view is in the document")

# Wrong use: one line and status 2.
(folder / "text.json").write_text("hello")
for arguments, words in ((["report", folder / "none.json"], "cannot read"), (["report", folder / "text.json"], "not a statistics file"),
                         (["report", statistics_path, "-o", folder / "none/x.html"], "cannot be written"),
                         (["replay", "--report", folder / "none/x.html", capture], "--report")):
    done = run(gen9sim, *arguments)
    expect(done.returncode == 2 and words in done.stderr and done.stderr.count("\n") == 1, f"{arguments}: {done.returncode} {done.stderr}")
finish()
