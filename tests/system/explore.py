# SPDX-License-Identifier: Apache-2.0
"""explore.py GEN9SIM SOURCE GALLERY: scripts/explore runs the points of a SPEC once each, tabulates them, and loses nothing."""
import json
import os
import pathlib
import re
import runpy
import signal
import subprocess
import sys
import tempfile
import time
import traceback

import pandas
from checks import expect, finish, run

gen9sim, source, gallery = (pathlib.Path(word).resolve() for word in sys.argv[1:])
explore, traces = source / "scripts/explore", source / "traces"
sys.path.insert(0, str(source / "scripts"))
import gen9explore  # noqa: E402

# What a copy of this process then has: loading it takes longer than what most runs do.
gen9explore.exploration, gen9explore.figures, gen9explore.page, gen9explore.table

folder = tempfile.TemporaryDirectory()
base = pathlib.Path(folder.name)
SMALL = f"programs:\n  sum: {{capture: {traces}/prefix_sum/stream.aub.zst}}\n"


def spec(name, text):
    (base / name).write_text(text)
    return base / name


def run_copy(*words):
    """Runs the script in a copy of this process; gives what `run` gives."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            status = 1
            try:
                os.dup2(out.fileno(), 1)
                os.dup2(err.fileno(), 2)
                sys.argv = [str(word) for word in words]
                runpy.run_path(sys.argv[0], run_name="__main__")
                status = 0
            except SystemExit as end:
                status = end.code if isinstance(end.code, int) else int(end.code is not None)
                if isinstance(end.code, str):
                    print(end.code, file=sys.stderr)
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stdout.flush()
                sys.stderr.flush()
                os._exit(status)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        return subprocess.CompletedProcess(words, status, *(file.seek(0) or file.read() for file in (out, err)))


def start(name, text, *options, status=0, model=gen9sim, out=None, way=run_copy):
    done = way(explore, spec(name, text), "--out", out or base / pathlib.Path(name).stem, "--gen9sim", model, "--quiet", *options)
    expect(done.returncode == status, f"{name} {options}: status {done.returncode}: {done.stdout}{done.stderr}")
    return done


def wrapper(name, script):
    """A gen9sim whose replays in timed mode first run a piece of shell."""
    path = base / name
    path.write_text(f'#!/bin/sh\ncase "$*" in *"replay --timing timed"*) {script};; esac\nexec {gen9sim} "$@"\n')
    path.chmod(0o755)
    return path


def results(out):
    return {path.name: path.stat().st_mtime_ns for path in (out / "results").iterdir() if not path.name.startswith("part-")}


# A full design: each point is the run that its printed command makes.
full = SMALL + "parameters:\n  eu.threads: [1, 7]\n  gpu.l3_banks: {from: 1, to: 4, factor: 4}\n" + "cost: gpu.eus * (1 + eu.threads)\nobjective: cycles * cost\n"
done = start("full.yaml", full, way=run)  # as a user starts it
found = gen9explore.load(base / "full")
expect(len(found.points) == 4 and set(zip(found.points["eu.threads"], found.points["gpu.l3_banks"])) == {(1, 1), (1, 4), (7, 1), (7, 4)},
       f"points:\n{found.points}")
wide = found.wide().set_index("point")
for row in found.points.itertuples():
    words = row.command.split()
    again = run(*words[:-1], "--stats", base / "again.json", words[-1])
    report = json.loads((base / "again.json").read_text())
    cycles, settings = report["totals"]["cycles"], {s["name"].split(".")[-1]: s["value"] for s in report["run"]["settings"]}
    expect(wide.loc[row.point, "cycles"] == cycles and again.returncode == 0, f"{row.command}: {cycles} cycles, {wide.loc[row.point, 'cycles']} in the table")
    expect(settings.get("threads", 7) == row[5] and settings.get("l3_banks", 4) == row[6], f"{row.command} has the settings {settings}")
    expect(row.cost == 8 * (1 + row[5]) and row.objective == cycles * row.cost, f"cost {row.cost}, objective {row.objective}")
expect(wide["cycles"].nunique() == 4, f"cycles do not depend on the settings: {wide['cycles'].tolist()}")
csv = pandas.read_csv(base / "full/metrics.csv")
expect(list(csv.columns) == ["point", "kernel", "metric", "value"] and len(csv) == len(found.metrics), "metrics.csv")
page = (base / "full/report.html").read_text()
expect(page.count("data:image/png;base64,") == 4 and "http" not in page.split("<body>")[1], "the page has not its four figures, or needs a network")
for figure in re.findall(r"--figure (\w+)", page):
    drawn = base / f"full/figures/{figure}.png"
    before = drawn.read_bytes()
    drawn.unlink()
    start("full.yaml", full, "--figure", figure)
    expect(drawn.read_bytes() == before, f"--figure {figure} draws another figure")

# What has a result is not run again; what changed is.
before = results(base / "full")
start("full.yaml", full)
expect(results(base / "full") == before, "a complete exploration runs points again")
lost = next(iter(before))
(base / "full/results" / lost).unlink()
start("full.yaml", full)
after = results(base / "full")
expect({name for name in before if after[name] != before[name]} == {lost}, "a lost point is not the only one that is run again")
start("full.yaml", full.replace("[1, 7]", "[1, 7, 3]"))
more = results(base / "full")
expect(len(more) == 6 and all(more[name] == after[name] for name in after), "a further value runs other points again")
start("full.yaml", full, model=wrapper("other", "true"))
expect(len(results(base / "full")) == 10, "another binary does not run the points again")

# A command is recorded once, while it computes: a loop of its host that goes on until a result says so has all its launches, on
# every machine, and the points check its results.
recorded = f"programs:\n  bfs: {{command: {gallery}/bfs}}\nparameters:\n  eu.threads: [2, 7]\n"
start("recorded.yaml", recorded)
wide = gen9explore.load(base / "recorded").wide()
expect(wide["kernels"].tolist() == [17, 17] and wide["cycles"].nunique() == 2, f"bfs: {wide[['kernels', 'cycles']]}")
files = list((base / "recorded/captures").iterdir())
expect(len(files) == 1 and files[0].name.endswith(".aub.zst"), f"captures: {files}")
when = files[0].stat().st_mtime_ns
start("recorded.yaml", recorded.replace("[2, 7]", "[2, 3, 7]"))
expect(files[0].stat().st_mtime_ns == when and len(results(base / "recorded")) == 3, "a further value records the program again")
checks = run(gen9sim, "replay", "--timing", "functional", files[0])
expect(" 49 checks, 0 mismatches" in checks.stderr, f"the recording does not check results: {checks.stderr}")
for what, command, words in (("fails", "sh -c 'exit 7'", "status 7"), ("no work", "'true'", "no work"),
                             ("two machines", f"sh -c '{gallery}/bfs; {gallery}/bfs'", "2 machines")):
    done = start("unrecorded.yaml", f"programs:\n  a: {{command: \"{command}\"}}\nparameters: {{eu.threads: [1]}}\n", status=2)
    expect(words in done.stderr and "cannot be recorded" in done.stderr and done.stderr.count("\n") == 1, f"{what}: {done.stderr}")
    expect(not list((base / "unrecorded/captures").iterdir()), f"{what}: a recording is left")

# Constraints and expressions.
start("constrained.yaml", SMALL + "parameters:\n  eu.threads: {from: 1, to: 7, step: 2}\n  gpu.l3_banks: {expression: (eu.threads + 1) / 2}\n"
      "constraints: [eu.threads != 5]\n")
found = gen9explore.load(base / "constrained").points
expect(list(zip(found["eu.threads"], found["gpu.l3_banks"])) == [(1, 1), (3, 2), (7, 4)], f"constraints:\n{found}")

# Values that fit only together: points in which they do not fail with the model's sentence, or are left out by a constraint.
ways = SMALL + "parameters:\n  l3.ways: [96, 160]\n  l3.tagged_ways: [64, 128]\n"
done = start("ways.yaml", ways, status=1)
expect(done.stderr == "explore: point 1 (sum) failed: gpu.l3.tagged_ways=128 is more than ways=96\n", f"values that do not fit: {done.stderr}")
expect(len(gen9explore.load(base / "ways").wide()) == 3, "the machines whose values fit together")
start("ways.yaml", ways + "constraints: [l3.tagged_ways <= l3.ways]\n")
expect(len(gen9explore.load(base / "ways").points) == 3, "a constraint leaves out machines that cannot be")
done = start("nowhere.yaml", SMALL + "parameters:\n  l3.tagged_ways: [64, 128]\n", status=2)
expect(done.stderr == "explore: skl-gt2: gpu.l3.tagged_ways=128 is more than ways=96\n", f"a value that fits in no point: {done.stderr}")

# A failed point is reported and the rest goes on; it is tried again.
two = SMALL + "parameters:\n  eu.threads: [1, 2, 3]\n"
broken = wrapper("broken", 'case "$*" in *eu.threads=2*) test -e ' + str(base / "repaired") + ' || { echo "gen9sim: it broke" >&2; exit 3; };; esac')
done = start("failing.yaml", two, model=broken, status=1)
expect(done.stderr == "explore: point 1 (sum) failed: it broke\n", f"a failed point: {done.stderr}")
expect(len(gen9explore.load(base / "failing").wide()) == 2 and "it broke" in (base / "failing/report.html").read_text(), "the rest of a failed point")
(base / "repaired").touch()
start("failing.yaml", two, model=broken)
expect(len(gen9explore.load(base / "failing").wide()) == 3, "a failed point is not tried again")

# An interruption keeps what has ended.
slow = wrapper("slow_model", "sleep 1")
process = subprocess.Popen([sys.executable, explore, spec("slow.yaml", SMALL + "parameters:\n  eu.threads: [1, 2, 3, 4, 5, 6]\n"), "--out", base / "slow",
                            "--gen9sim", slow, "--jobs", "1", "--quiet"], stderr=subprocess.PIPE, text=True, start_new_session=True,
                           preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))  # a shell ignores it in what it runs in the background
for _ in range(600):
    if (base / "slow/results").is_dir() and len(results(base / "slow")) >= 2:
        break
    time.sleep(0.1)
process.send_signal(signal.SIGINT)
said = process.communicate(timeout=60)[1]
kept = results(base / "slow")
expect(process.returncode == 130 and said.count("\n") == 1 and "interrupted" in said, f"interrupted: {process.returncode}: {said}")
expect(2 <= len(kept) < 6, f"{len(kept)} results of an interrupted exploration")
start("slow.yaml", (base / "slow.yaml").read_text(), model=slow)
after = results(base / "slow")
expect(len(after) == 6 and all(after[name] == when for name, when in kept.items()), "an interrupted exploration does not go on")

# A full disk: one line, and what is there stays.
disk = f"mount -t tmpfs -o size=48k none $1 && shift && exec {sys.executable} {explore} {base}/full.yaml --out {base}/disk --gen9sim {gen9sim} --quiet"
(base / "disk").mkdir()
done = run("unshare", "-rm", "sh", "-c", disk, "sh", base / "disk")
expect(done.returncode in (1, 2) and "Traceback" not in done.stderr and done.stderr.count("\n") <= 5 and re.search("write|space", done.stderr),
       f"full disk: {done.returncode}: {done.stderr}")

# Wrong input: one line, status 2.
one = "parameters: {eu.threads: [1]}\n"
(base / "no.aub").write_text("nothing")
# A packet as captures of another version begin with: a header of type 7, operation 1.
(base / "old.aub").write_bytes((7 << 29 | 1 << 23).to_bytes(4, "little") + bytes(60))
wrong = {
    "not YAML": "programs: [", "no mapping": "- 1", "empty": "", "no programs": one, "unknown key": SMALL + one + "colour: red\n",
    "unknown parameter": SMALL + "parameters: {eu.no_such_thing: [1]}\n", "value out of range": SMALL + "parameters: {eu.threads: [77]}\n",
    "no values": SMALL + "parameters: {eu.threads: []}\n", "empty range": SMALL + "parameters: {eu.threads: {from: 4, to: 1}}\n",
    "endless range": SMALL + "parameters: {eu.threads: {from: 1, to: 9, factor: 1}}\n", "odd value": SMALL + "parameters: {eu.threads: [1.5]}\n",
    "unknown product": SMALL + one + "products: [skl-gt9]\n", "unknown design": SMALL + one + "design: {kind: circle}\n",
    "design without points": SMALL + one + "design: {kind: sobol}\n", "bad constraint": SMALL + one + "constraints: ['eu.threads <']\n",
    "dangerous constraint": SMALL + one + "constraints: ['__import__(1)']\n", "unknown name": SMALL + one + "constraints: [eu.colour < 3]\n",
    "division by zero": SMALL + one + "constraints: [1 / (eu.threads - 1) > 0]\n", "all excluded": SMALL + one + "constraints: [eu.threads > 1]\n",
    "no capture": "programs: {a: {capture: /nonexistent.aub}}\n" + one, "not a capture": f"programs: {{a: {{capture: {base}/no.aub}}}}\n" + one,
    "capture of another version": f"programs: {{a: {{capture: {base}/old.aub}}}}\n" + one,
    "no command": "programs: {a: {command: /nonexistent/program}}\n" + one, "unknown metric": SMALL + one + "objective: colour\n",
    "bad timing": SMALL + one + "timing: quick\n", "huge": SMALL + "parameters: {eu.threads: {from: 1, to: 99999999}}\n",
}
for what, text in wrong.items():
    done = start("wrong.yaml", text, status=2)
    expect(len(done.stderr.strip().splitlines()) == 1 and done.stderr.startswith("explore: "), f"{what}: {done.stderr}")
    expect(what != "capture of another version" or ("oldest form" in done.stderr and f"{base}/old.aub" in done.stderr), f"{what}: {done.stderr}")
done = start("full.yaml", full, "--figure", "circle", status=2)
done = start("full.yaml", full, "--point", "99", status=2)
finish()
