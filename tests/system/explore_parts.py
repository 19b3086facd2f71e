# SPDX-License-Identifier: Apache-2.0
"""explore_parts.py SOURCE: each part of scripts/explore by itself, without the model: what a SPEC says, the machines, captures and points
that follow from it, how a point and the workflow end, and the page."""
import contextlib
import html
import io
import itertools
import json
import math
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import types

import explore_expressions
import pandas
from checks import expect, finish

sys.path.insert(0, str(pathlib.Path(sys.argv[1]) / "scripts"))
import gen9explore  # noqa: E402
from gen9explore import exploration, figures, model, page, point, workflow  # noqa: E402
from gen9explore import spec as specs  # noqa: E402
from gen9explore.errors import UserError  # noqa: E402

folder = tempfile.TemporaryDirectory()
base = pathlib.Path(folder.name).resolve()


def refused(what, words, call, *arguments):
    """It says all these words in one sentence."""
    try:
        expect(False, f"{what}: was taken: {call(*arguments)}")
    except UserError as error:
        expect(all(word in str(error) for word in words) and "\n" not in str(error), f"{what}: {error}")


explore_expressions.check(refused)

# ---- a SPEC ----
(base / "one.aub").write_bytes(b"one")
(base / "two.aub").write_bytes(b"two" * 1000000)
PROGRAMS = "programs: {one: {capture: one.aub}}\n"
THREADS = "parameters: {eu.threads: [1, 2]}\n"


def spec(text, name="spec.yaml"):
    (base / name).write_text(text)
    return specs.Spec(base / name)


said = spec("""programs:
  one.a_+-: {capture: one.aub}
  other: {command: 'bin/go "a b" /c'}
  last: {command: [../go, 1, 2.5]}
  found: {command: go /d}
products: [skl-gt2, kbl-gt2]
parameters:
  eu.threads: {from: 1, to: 7, step: 3}
  l3.banks: {from: 2, to: 16, factor: 2}
  gpu.x: {from: 3, to: 5}
  gpu.y: [1, a, [2, 3]]
  gpu.z: {expression: eu.threads + 1}
constraints: [eu.threads < 5, 1]
cost: eu.threads * 2
objective: cycles * cost
timing: functional
design: {kind: sobol, points: 8, seed: 0}
""")
expect(said.programs == {"one.a_+-": {"capture": base / "one.aub"}, "other": {"command": [str(base / "bin/go"), "a b", "/c"]},
                         "last": {"command": [str(base.parent / "go"), "1", "2.5"]}, "found": {"command": ["go", "/d"]}}, f"programs: {said.programs}")
expect(said.products == ["skl-gt2", "kbl-gt2"] and said.timing == "functional", f"products and timing: {said.products}, {said.timing}")
expect(said.parameters == {"eu.threads": [1, 4, 7], "l3.banks": [2, 4, 8, 16], "gpu.x": [3, 4, 5], "gpu.y": [1, "a", [2, 3]]}, f"parameters: {said.parameters}")
expect({name: one.text for name, one in said.derived.items()} == {"gpu.z": "eu.threads + 1"}, f"derived: {said.derived}")
expect([one.text for one in said.constraints] == ["eu.threads < 5", "1"] and said.cost.text == "eu.threads * 2" and said.objective.text == "cycles * cost",
       "constraints, cost and objective")
expect(all(str(said.path) in one.where and word in one.where for one, word in
           ((said.constraints[0], "constraints"), (said.cost, "cost"), (said.objective, "objective"), (said.derived["gpu.z"], "gpu.z"))), "where an expression stands")
expect((said.design, said.points, said.seed) == ("sobol", 8, 0), f"design: {said.design}, {said.points}, {said.seed}")
said = spec(PROGRAMS + THREADS)
expect((said.products, said.timing, said.design, said.points, said.seed, said.cost, said.objective.text, said.constraints, said.derived) ==
       (["skl-gt2"], "timed", "full", None, 1, None, "cycles", [], {}), "what a SPEC leaves out")
expect(spec(PROGRAMS + "products: [a, b]\n").parameters == {}, "several products need no parameters")
for most, words in (("{from: 1, to: 100000}", ()), ("{from: 1, to: 100001}", ("100000 values",)), ("{from: 1, to: 200000, step: 2}", ()),
                    ("{from: 0, to: 200000, step: 2}", ("100000 values",)), ("{from: 4, to: 4}", ()), ("{from: 5, to: 4}", ("from 5 to 4", "no values")),
                    ("{from: 1, to: 4, step: 0}", ("no values",)), ("{from: 1, to: 4, factor: 1}", ("no values",)), ("{from: 0, to: 4, factor: 2}", ("no values",)),
                    ("{from: 1, to: 4, step: 1, factor: 2}", ("whole numbers",)), ("{from: 1.5, to: 4}", ("whole numbers",)),
                    ("{from: true, to: 4}", ("whole numbers",)), ("{from: 1, to: 4, step: a}", ("whole numbers",)), ("{from: 1, to: 4, by: 2}", ("needs a list",)),
                    ("{from: 1}", ("needs a list",)), ("{}", ("needs a list",)), ("[]", ("needs a list",)), ("4", ("needs a list",)),
                    ("[1.5]", ("1.5 is not allowed",)), ("[[1.5]]", ("[1.5] is not allowed",)), ("[a, [1]]", ()), ("[{a: 1}]", ("is not allowed",)),
                    ("{expression: '1 +'}", ("is not an expression",))):
    text = PROGRAMS + f"parameters: {{eu.threads: {most}}}\n"
    if words:
        refused(most, ("eu.threads", *words), spec, text)
    else:
        spec(text)
for text, words in ((THREADS, ("programs must be a mapping",)), ("programs: {}\n" + THREADS, ("programs: at least one",)),
                    ("- 1\n", ("a SPEC must be a mapping",)), ("1: 2\n", ("a SPEC must be a mapping",)), (PROGRAMS, ("parameters: at least one",)),
                    (PROGRAMS + "colour: 1\n", ("'colour' is not known", "constraints, cost, design, objective, parameters, products, programs, timing")),
                    (PROGRAMS + "parameters: 1\n", ("parameters must be a mapping",)), (PROGRAMS + THREADS + "products: skl\n", ("products must be a list",)),
                    (PROGRAMS + THREADS + "constraints: [[1]]\n", ("constraints must be a list",)), (PROGRAMS + THREADS + "timing: quick\n", ("'quick'", "functional|timed")),
                    (PROGRAMS + THREADS + "design: full\n", ("design must be a mapping",)), (PROGRAMS + THREADS + "design: {kind: ring}\n", ("'ring'", "full|one-at-a-time")),
                    (PROGRAMS + THREADS + "design: {kind: full, size: 1}\n", ("'size' is not known",)), (PROGRAMS + THREADS + "design: {points: 1}\n", ("kind 'None'",)),
                    (PROGRAMS + THREADS + "design: {kind: full, seed: -1}\n", ("seed must be",)), (PROGRAMS + THREADS + "design: {kind: full, seed: a}\n", ("seed must be",)),
                    ("programs: {'a b': {capture: one.aub}}\n" + THREADS, ("'a b' is not a name",)), ("programs: {a: 1}\n" + THREADS, ("programs: a must be a mapping",)),
                    ("programs: {a: {capture: gone.aub}}\n" + THREADS, ("programs: a", "'gone.aub' does not exist")),
                    ("programs: {a: {capture: one.aub, command: b}}\n" + THREADS, ("either",)), ("programs: {a: {}}\n" + THREADS, ("either",)),
                    ("programs: {a: {command: ''}}\n" + THREADS, ("command is empty",)), ("programs: {a: {command: {b: c}}}\n" + THREADS, ("command must be a list",)),
                    (PROGRAMS + THREADS + "cost: '('\n", ("cost", "is not an expression")), ("a: [\n", ("line 2", "is not valid YAML"))):
    refused(text, ("spec.yaml", *words), spec, text)
for kind in ("latin-hypercube", "sobol", "search"):
    for points, fits in (("1", True), ("100000", True), ("0", False), ("100001", False), ("a", False)):
        text = PROGRAMS + THREADS + f"design: {{kind: {kind}, points: {points}}}\n"
        if fits:
            expect(spec(text).points == int(points), f"{kind}: {points} points")
        else:
            refused(text, (f"{kind} needs points: 1..100000",), spec, text)
refused("a SPEC that is not there", ("cannot read", "No such file"), specs.Spec, base / "gone.yaml")
(base / "binary.yaml").write_bytes(b"\xff\xfe\xfa")
refused("a SPEC that is no text", ("not valid YAML", "it cannot be read"), specs.Spec, base / "binary.yaml")

# ---- what the program says of itself ----
fake = base / "fake"
fake.write_text(f"""#!/bin/sh
echo "$*" >>{base}/asked
case "$*" in
"params --device m") printf 'a title\\n\\ngpu.eu.threads = 7 threads\\ngpu.l3.banks = 4 of these\\ngpu.a.banks = 4\\ngpu.b.ways = 1\\ngpu.c.ways = 2\\ngpu.dram.kind = ddr4-2133\\n  text.of = 5\\n';;
"params --device m --set eu.threads=[1,2] --set x=3") exit 0;;
"params --device m --set x=9") echo 'gen9sim: first' >&2; echo 'gen9sim: 9 is not allowed ' >&2; echo >&2; exit 2;;
"params --device n") echo 'gen9sim: no product n' >&2; exit 2;;
"params"*) exit 3;;
*good.aub|*broken.aub) case "$*" in *broken*) exit 1;; esac;;
*bad.aub) echo 'gen9sim: a bad capture' >&2; exit 2;;
run*) out=$(echo "$*" | sed 's/.*--record \\([^ ]*\\) .*/\\1/'); word=${{9}}
  [ "$2 $3 $4 $5 $6 $7 $9" = "--device m --timing functional --no-progress --record --" ] || exit 99
  shift 9
  case $1 in one|*/one) echo recorded >"$out";; two) echo 1 >"$out"; echo 2 >"$out.2";; none) ;;
  quiet) exit 7;; told) echo 'gen9sim: first' >&2; echo 'gen9sim: it broke' >&2; echo 'gen9sim: recorded nothing' >&2; echo other >&2; exit 4;; printed) echo printed; exit 5;; esac;;
esac
""")
fake.chmod(0o755)
real = model.Model(fake)


def asked():
    found = (base / "asked").read_text().splitlines() if (base / "asked").exists() else []
    (base / "asked").unlink(missing_ok=True)
    return found


refused("a program that is not there", ("'/none/such' does not exist", "scripts/build"), model.Model, "/none/such")
expect(real.path == fake and real.digest == subprocess.run(["sha256sum", fake], capture_output=True, text=True).stdout.split()[0], f"digest: {real.digest}")
expect(model.digest_of(base / "two.aub") == subprocess.run(["sha256sum", base / "two.aub"], capture_output=True, text=True).stdout.split()[0], "digest of a long file")
refused("a file that is not there", ("cannot read", "No such file"), model.digest_of, base / "gone")
known = {"gpu.eu.threads": 7, "gpu.l3.banks": 4, "gpu.a.banks": 4, "gpu.b.ways": 1, "gpu.c.ways": 2, "gpu.dram.kind": "ddr4-2133"}
expect(real.parameters("m") == known and real.parameters("m") == known and asked() == ["params --device m"], f"parameters, asked for once: {real.parameters('m')}")
for name, value in (("gpu.eu.threads", 7), ("eu.threads", 7), ("threads", 7), ("banks", 4), ("dram.kind", "ddr4-2133"), ("b.ways", 1)):
    expect(real.look_up("m", name) == value, f"{name}: {real.look_up('m', name)}")
for name, words in (("ways", "several parameters of m"), ("hreads", "not a parameter of m"), ("gpu.eu", "not a parameter of m")):
    refused(name, (f"'{name}' is {words}", "params"), real.look_up, "m", name)
refused("a product that is not there", ("no product n",), real.parameters, "n")
expect(real.refusal("m", {"eu.threads": [1, 2], "x": 3}) is None and real.refusal("m", {"x": 9}) == "m: 9 is not allowed" and
       real.refusal("o", {}) == "o: it said nothing", "why there is no machine")
real.check_capture("good.aub"), real.check_capture("broken.aub")
refused("a bad capture", ("a bad capture",), real.check_capture, "bad.aub")
asked()
captures = base / "in" / "captures"
first = real.record("m", ["one", "1"], captures)
expect(first.read_text() == "recorded\n" and first.parent == captures and re.fullmatch(r"[0-9a-f]{16}\.aub\.zst", first.name) and len(asked()) == 1, f"{first}")
expect(real.record("m", ["one", "1"], captures) == first and not asked(), "it is recorded once")
expect(real.record("m", ["one", "2"], captures) != first and len(asked()) == 1, "other words are recorded for themselves")
(base / "one").write_text("a program")
changed = [real.record("m", [str(base / "one")], captures)]
(base / "one").write_text("a program that changed")
changed.append(real.record("m", [str(base / "one")], captures))
expect(len(set(changed)) == 2 and all(path.is_file() for path in changed), f"a changed program is recorded again: {changed}")
for word, reason in (("two", "2 machines"), ("none", "it submits no work"), ("quiet", "status 7: it said nothing"), ("told", "status 4: it broke"), ("printed", "status 5: printed")):
    refused(word, (f"'{word} x' cannot be recorded", reason), real.record, "m", [word, "x"], captures)
expect(len(list(captures.iterdir())) == 4, f"what is left of recordings: {list(captures.iterdir())}")


# ---- points: of a made-up model, whose machines and results are made here ----
class Machines:
    digest, path = "0" * 64, pathlib.Path("/bin/gen9sim")
    own = {"m": {"eu.threads": 7, "gpu.l3_banks": 4, "gpu.size": 10}, "n": {"eu.threads": 6, "gpu.l3_banks": 2, "gpu.size": 20}}
    no = ()  # (product, name, value): not allowed with anything, or only alone

    def __init__(self):
        self.checked, self.recorded = [], []

    def look_up(self, product, name):
        found = [value for full, value in self.own[product].items() if full == name or full.endswith("." + name)]
        if not found:
            raise UserError(f"'{name}' is not a parameter")
        return found[0]

    def refusal(self, product, settings):
        for at, name, value, alone in self.no:
            if at == product and model.text_of(settings.get(name)) == value and not (alone and len(settings) > 1):
                return f"{product}: {name}={value} " + ("needs another" if alone else "is not allowed")
        return None

    def record(self, product, command, folder):
        self.recorded.append((product, command, folder))
        path = base / f"{product}-{'-'.join(command)}.aub"
        path.write_text(str(path))
        return path

    def check_capture(self, path):
        self.checked.append(path)


def explored(text, name, **changes):
    work = exploration.Exploration(spec(text), Machines(), base / name)
    for key, value in changes.items():
        setattr(work.model, key, value)
    work.prepare()
    return work


WIDE = """programs: {one: {capture: one.aub}, same: {capture: one.aub}, two: {capture: two.aub}, run: {command: go 1}}
products: [m, n]
parameters: {eu.threads: [2, 3, 4], gpu.l3_banks: {expression: eu.threads / 2}}
constraints: [threads < 4 or size > 10]
cost: gpu.l3_banks * 100 + size
"""
work = explored(WIDE, "wide")
expect((base / "wide/jobs").is_dir() and sorted(work.model.checked) == sorted([base / "one.aub", base / "two.aub", base / "m-go-1.aub", base / "n-go-1.aub"]),
       f"captures are checked once each: {work.model.checked}")
expect(work.model.recorded == [(product, ["go", "1"], base / "wide/captures") for product in "mn"], f"recorded: {work.model.recorded}")
groups = work.add([{"eu.threads": threads} for threads in (2, 3, 4)] + [{"eu.threads": 2}])
wanted = [(program, product, threads) for threads in (2, 3, 4) for product in "mn" for program in ("one", "same", "two", "run") if not (threads == 4 and product == "m")]
expect([(p["program"], p["product"], p["settings"]["eu.threads"]) for p in work.points] == wanted, "the points of a full design")
expect(list(map(len, groups)) == [8, 8, 4, 8] and groups[0] == groups[3] and [p["point"] for p in work.points] == list(range(20)), f"points of choices: {list(map(len, groups))}")
keys = {}
for one in work.points:
    capture = work.captures[one["program"], one["product"]]
    halves = one["settings"]["eu.threads"] / 2
    expect(one["settings"]["gpu.l3_banks"] == halves and type(one["settings"]["gpu.l3_banks"]) is (int if halves in (1, 2) else float), f"what follows: {one['settings']}")
    words = ["/bin/gen9sim", "replay", "--timing", "timed", "--device", one["product"], "--set", f"eu.threads={one['settings']['eu.threads']}", "--set",
             f"gpu.l3_banks={one['settings']['gpu.l3_banks']}", str(capture)]
    expect(one["command"] == words and json.loads((base / "wide/jobs" / f"{one['key']}.json").read_text()) == {"command": words}, f"{one['command']}")
    keys.setdefault((capture, *words), set()).add(one["key"])
    expect(work.cost(one) == halves * 100 + Machines.own[one["product"]]["gpu.size"], f"cost: {work.cost(one)}")
    expect(work.all_settings(one) == one["settings"], f"all settings: {work.all_settings(one)}")
expect(all(len(some) == 1 for some in keys.values()) and len(set.union(*keys.values())) == len(keys) == 15 and all(re.fullmatch("[0-9a-f]{20}", *some) for some in keys.values()),
       f"keys: {keys}")
# Whatever changes a result changes the key.
alone = [("", {}), ("timing: functional\n", {}), ("", {"digest": "1" * 64})]
made_keys = []
for text, changes in alone:
    one = explored(PROGRAMS + "products: [m]\nparameters: {eu.threads: [1]}\n" + text, "keys", **changes)
    one.add([{"eu.threads": 1}, {}])
    made_keys += [p["key"] for p in one.points]
    expect(one.all_settings(one.points[1]) == {"eu.threads": 7} and one.cost(one.points[0]) is None, "a setting that is left alone is the product's own")
expect(len(set(made_keys)) == 6, f"keys: {made_keys}")
# A job that is there stays as it is.
job = base / "keys/jobs" / f"{made_keys[0]}.json"
job.write_text("kept")
one = explored(PROGRAMS + "products: [m]\nparameters: {eu.threads: [1]}\n", "keys")
one.add([{"eu.threads": 1}])
expect(one.points[0]["key"] == made_keys[0] and job.read_text() == "kept", "a job is written once")

# A short name finds what a long one set, and the other way round.
find = work.look_up("m", {"gpu.l3_banks": 8, "threads": 1})
expect((find("l3_banks"), find("gpu.l3_banks"), find("eu.threads"), find("size")) == (8, 8, 1, 10), "names of settings")
expect(work.look_up("m", {"gpu.l3_banks": 8})("threads") == 7, "a name that is not set is the product's")

# Values that there are not.
none = PROGRAMS + "products: [m]\nparameters: {eu.threads: [1, 2, 2], gpu.size: [1, 2]}\n"
refused("a value that is not allowed", ("m: eu.threads=2 is not allowed",), lambda: explored(none, "no", no=(("m", "eu.threads", "2", False),)))
work = explored(none, "no", no=(("m", "eu.threads", "2", True),))
expect(work.refused == [("m", "eu.threads", "2", "m: eu.threads=2 needs another")], f"{work.refused}")
work.add([{"eu.threads": 2, "gpu.size": 1}, {"eu.threads": 2}])
work.check_refused()
work = explored(none, "no", no=(("m", "eu.threads", "2", True),))
work.check_refused()  # no point has it
work.add([{"eu.threads": 1}, {"eu.threads": 2}])
refused("a value that fits nowhere", ("m: eu.threads=2 needs another",), work.check_refused)
for text in ("parameters: {eu.no: [1]}\n", "parameters: {eu.no: {expression: '1'}}\n"):
    refused(text, ("'eu.no' is not a parameter",), explored, PROGRAMS + "products: [m, n]\n" + text, "no")

# Running: results and failures are read back; a search is told the geometric mean over programs and products.
taken = []


def play(folder, keys, jobs, profile, quiet):
    """A workflow that makes a machine's cycles of its settings; of three threads it fails."""
    taken.append((keys, jobs, profile, quiet))
    for name in ("results", "failed"):
        (folder / name).mkdir(exist_ok=True)
    for key in keys:
        words = json.loads((folder / "jobs" / f"{key}.json").read_text())["command"]
        threads = int(next(word for word in words if word.startswith("eu.threads=")).split("=")[1])
        if threads == 3:
            (folder / "failed" / f"{key}.txt").write_text("it broke\n")
        else:
            cycles = 1000 // threads * (8 if "n" in words else 1) * (0 if threads == 5 else 1)
            (folder / "results" / f"{key}.json").write_text(json.dumps({"totals": {"cycles": cycles, "instructions": 5},
                                                                               "kernels": [], "counters": {}, "run": {"host": {"simulation_seconds": 1}}}))


keep, workflow.run = workflow.run, play
LITTLE = "programs: {one: {capture: one.aub}, same: {capture: one.aub}}\nproducts: [m, n]\nparameters: {eu.threads: [1, 3, 4]}\n"
work = explored(LITTLE + "cost: threads * size\nobjective: cycles * cost + instructions + l3_banks\n", "little")
work.run(jobs=3, profile="p", quiet=True)
expect(len(work.points) == 12 and [(len(keys), *rest) for keys, *rest in taken] == [(6, 3, "p", True)], f"points that are the same are run once: {taken}")
for one in work.points:
    threads, own = one["settings"]["eu.threads"], Machines.own[one["product"]]
    cycles = 1000 // threads * (8 if one["product"] == "n" else 1)
    wanted = None if threads == 3 else cycles * threads * own["gpu.size"] + 5 + own["gpu.l3_banks"]
    expect(work.objective(one) == wanted and work.failure(one) == ("it broke" if threads == 3 else "not run"), f"{one['settings']}: {work.objective(one)}")
    expect((work.statistics(one) or {}).get("totals") == (None if threads == 3 else {"cycles": cycles, "instructions": 5}), f"{work.statistics(one)}")
(base / "little/results" / f"{work.points[0]['key']}.json").write_text("{")
refused("a damaged result", ("is damaged", work.points[0]["key"]), work.statistics, work.points[0])
expect(explored(LITTLE, "little").spec.cost is None, "no cost")
costless = explored(LITTLE + "objective: cost\n", "costless")
costless.run()
expect(taken[-1][1:] == (None, None, False), f"what a run leaves out: {taken[-1]}")
refused("a cost that is not given", ("'cost' is not a parameter",), costless.objective, costless.points[0])
work = explored(LITTLE.replace("[1, 3, 4]", "[1, 3, 4, 5]") + "constraints: [threads != 2]\n", "search")
found = work.costs([{"eu.threads": threads} for threads in (1, 2, 3, 4, 5)], None, None, True)
expect(found[1] == found[2] == found[4] == math.inf and math.isclose(found[0], math.sqrt(8) * 1000) and math.isclose(found[3], math.sqrt(8) * 250), f"costs: {found}")
# (How it searches is tested with the designs.)
search, exploration.designs.search = exploration.designs.search, lambda of, costs: expect(of is work.spec and costs([{"eu.threads": 1}, {"eu.threads": 3}]) ==
                                                                                          [found[0], math.inf], "what a search is told")
work = explored(LITTLE + "design: {kind: search, points: 60}\n", "search")
taken.clear()
work.run(jobs=2, profile="q", quiet=False)
exploration.designs.search = search
expect([(len(keys), *rest) for keys, *rest in taken] == [(4, 2, "q", False)] and len(work.points) == 8, f"a search: {taken}")
refused("nothing is left", ("the constraints exclude every point", "spec.yaml"), explored(LITTLE + "constraints: [0]\n", "none").run)
refused("what is checked before it runs", ("needs another",), explored(PROGRAMS + "products: [m]\nparameters: {eu.threads: [2]}\n", "no",
                                                                    no=(("m", "eu.threads", "2", True),)).run)
workflow.run = keep

# The package's one call does all of it.
workflow.run, kept_model, model.Model = play, model.Model, lambda path: expect(path == "sim", f"{path}") or Machines()
results = gen9explore.explore(spec(LITTLE).path, "sim", base / "call", quiet=True)
workflow.run, model.Model = keep, kept_model
expect(len(results.points) == 12 and results.points["error"].notna().sum() == 4 and len(gen9explore.load(base / "call").points) == 12, "gen9explore.explore")
expect(gen9explore.figures is figures and gen9explore.workflow is workflow, "parts by name")
try:
    expect(False, f"a part that is not there: {gen9explore.colour}")
except AttributeError as error:
    expect(str(error) == "colour", f"{error}")

# ---- a point: its result, or a line that says why there is none ----
place = base / "point"
for name in ("jobs", "results", "failed"):
    (place / name).mkdir(parents=True)
ends = {"good": ("echo '{\"a\": 1}' >$2", ""), "status": ("exit 3", "gen9sim ended with status 3"), "signal": ("kill -9 $$", "gen9sim ended with signal 9"),
        "said": ("echo other >&2; echo 'gen9sim: why' >&2; echo 'gen9sim: more' >&2; echo x >$2; exit 1", "why"), "damaged": ("echo '{' >$2", "JSONDecodeError: "),
        "silent": ("true", "FileNotFoundError: ")}
for key, (script, words) in ends.items():
    # "sh -c SCRIPT name" is called with --stats FILE before its last word.
    (place / "jobs" / f"{key}.json").write_text(json.dumps({"command": ["sh", "-c", script + "; [ \"$1 $3\" = '--stats last' ]", "name", "last"]}))
    (place / "failed" / f"{key}.txt").write_text("of the last time")
    status = point.main(str(place), key)
    result, failure = place / "results" / f"{key}.json", place / "failed" / f"{key}.txt"
    if words:
        expect(status == 1 and not result.exists() and failure.read_text().startswith(words) and failure.read_text().count("\n") == 1, f"{key}: {failure.read_text()}")
    else:
        expect(status == 0 and json.loads(result.read_text()) == {"a": 1} and not failure.exists(), key)
    expect(not (place / "results" / f"part-{key}.json").exists(), f"{key}: a part is left")
for key, status in (("good", 0), ("said", 1)):  # as a job of the workflow runs it
    (place / "results" / f"{key}.json").unlink(missing_ok=True)
    done = subprocess.run([sys.executable, point.__file__, str(place), key])
    expect(done.returncode == status and (place / "results" / f"{key}.json").exists() == (status == 0), f"{key}: status {done.returncode}")
(place / "jobs/none.json").write_text(json.dumps({"command": ["/none/such", "last"]}))
expect(point.main(place, "none") == 1 and "No such file" in (place / "failed/none.txt").read_text(), "a program that is not there")

# ---- the workflow ----
class Clock:
    """The workflow's: its waits are seen, and shorter than it believes. `does`: what happens in a wait, by its number."""
    def __init__(self, does=lambda number: None):
        self.waits, self.does = [], does

    def monotonic(self):
        return 1000 + sum(self.waits)

    def sleep(self, seconds):
        self.waits.append(seconds)
        time.sleep(0.01)
        self.does(len(self.waits))


def told(done, failed, seconds, before=0, of=10):
    flow = pathlib.Path(tempfile.mkdtemp(dir=base))
    for name, count, ending in (("results", done, "json"), ("failed", failed, "txt")):
        (flow / name).mkdir()
        for number in range(count):
            (flow / name / f"{name[0]}{number}.{ending}").touch()
    wanted = [f"r{n}" for n in range(done)] + [f"f{n}" for n in range(of - done)]
    return workflow.progress(flow, wanted, workflow.time.monotonic() - seconds, before)


workflow.time = Clock()
for arguments, wanted in (((0, 0, 5), ("0 of 10 points", 0)), ((4, 0, 20), ("4 of 10 points, about 30 s left", 4)), ((3, 1, 20), ("4 of 10 points, 1 failed, about 30 s left", 4)),
                          ((5, 0, 99), ("5 of 10 points, about 99 s left", 5)), ((5, 0, 100), ("5 of 10 points, about 2 min left", 5)), ((5, 0, 600), ("5 of 10 points, about 10 min left", 5)),
                          ((5, 0, 20, 3), ("5 of 10 points, about 50 s left", 5)), ((5, 0, 20, 5), ("5 of 10 points", 5))):
    expect(told(*arguments) == wanted, f"progress {arguments}: {told(*arguments)}")
flow = base / "flow"
flow.mkdir()
snakemake = base / "snakemake"
snakemake.write_text(f"""#!/bin/sh
echo "$*" >{base}/snakemake.words
cat $(echo "$*" | sed 's/.*keys=\\([^ ]*\\) .*/\\1/') >{base}/snakemake.keys
cd {flow} && . {base}/snakemake.does
""")
snakemake.chmod(0o755)
does = base / "snakemake.does"
workflow.SNAKEMAKE, keep = str(snakemake), workflow.SNAKEMAKE


def flows(script, keys, jobs=None, profile=None, quiet=True):
    does.write_text(script)
    (base / "snakemake.words").unlink(missing_ok=True)
    with contextlib.redirect_stderr(io.StringIO()) as said:
        workflow.run(str(flow), keys, jobs, profile, quiet)
    return (base / "snakemake.words").read_text().split() if (base / "snakemake.words").exists() else None, said.getvalue()


words, said = flows("touch results/a.json; echo why >failed/b.txt", ["a", "b"])
runner = pathlib.Path(sys.argv[1]).resolve() / "scripts/gen9explore"
expect(words == ["--snakefile", str(runner / "Snakefile"), "--directory", str(flow), "--keep-going", "--nolock", "--rerun-incomplete", "--rerun-triggers", "mtime", "--quiet", "all",
                 "--jobs", str(os.cpu_count()), "--config", f"keys={flow}/keys.txt", f"python={sys.executable}", f"runner={runner}/point.py"], f"snakemake {words}")
expect((base / "snakemake.keys").read_text() == "a\nb\n" and said == "", f"keys, and what it says: {said}")
words, said = flows("test ! -e failed/b.txt && touch results/b.json", ["a", "b"], jobs=3)
expect((base / "snakemake.keys").read_text() == "b\n" and words[words.index("--jobs") + 1] == "3", f"only what has no result: {words}")
expect(flows("exit 1", ["a", "b"]) == (None, ""), "it is called for nothing")
words, _ = flows("touch results/c.json", ["c"], profile="slurm")
expect(words[words.index("--profile") + 1] == str(runner / "slurm") and "--jobs" not in words, f"the profile that comes with it: {words}")
words, _ = flows("touch results/d.json", ["d"], profile="own/place", jobs=4)
expect(words[words.index("--profile") + 1] == "own/place" and words[words.index("--jobs") + 1] == "4", f"a profile of one's own: {words}")


def done_in_halves(number):
    for name in {10: ("results/e0.json", "results/e1.json"), 30: ("results/e2.json", "results/e3.json"), 31: ("over",)}.get(number, ()):
        (flow / name).touch()


workflow.time = Clock(done_in_halves)
_, said = flows("while [ ! -e over ]; do sleep 0.01; done", [f"e{n}" for n in range(4)], quiet=False)
expect(said == "2 of 4 points, about 2 s left\n4 of 4 points, about 0 s left\n", f"it says how far it is: {said!r}")
waits = workflow.time.waits
expect(set(waits[:25]) == {0.2} and set(waits[26:]) == {1}, f"it looks often, and then once a second: {waits}")
for script, words in (("echo one; echo 'an Error of it'; echo last", "0 of 1 points: an Error of it"), ("echo one; echo last", "0 of 1 points: last"), ("true", "nothing was said")):
    refused(script, (words, "snakemake.log says more"), flows, script, ["never"])
workflow.SNAKEMAKE, path = "/none/such", os.environ["PATH"]
os.environ["PATH"] = str(base / "nowhere")
refused("without snakemake", ("snakemake is missing", "scripts/setup"), flows, "true", ["never"])
# It is found where programs are.
os.environ["PATH"] = f"{base}:{path}"
expect(flows("touch results/f.json", ["f"])[0], "snakemake of the path")
os.environ["PATH"], workflow.SNAKEMAKE = path, str(snakemake)


# An interruption ends the workflow with a signal that it may answer.
def interrupted(number):
    if (flow / "results/g.json").exists():
        raise KeyboardInterrupt


workflow.time = Clock(interrupted)
try:
    flows(f"trap 'echo asked >{base}/asked; exit' INT; touch results/g.json; while :; do sleep 0.05; done", ["g", "h", "i"])
    expect(False, "an interruption is not told")
except workflow.Interrupted as error:
    expect(str(error) == "1 of 3 points" and asked() == ["asked"], f"interrupted: {error}")
workflow.time = time
gone = subprocess.Popen(["true"], start_new_session=True)
gone.wait()
workflow.end(gone)  # one that has ended already
asking = []


class Deaf:
    pid = 5

    def wait(self, seconds):
        asking[-1] += (seconds,)
        if seconds:
            raise subprocess.TimeoutExpired("deaf", seconds)


workflow.os = types.SimpleNamespace(killpg=lambda group, sign: asking.append((group, sign)))
workflow.end(Deaf())
workflow.os = os
expect(asking == [(5, signal.SIGINT, 10), (5, signal.SIGTERM, 10), (5, signal.SIGKILL, None)], f"a workflow that does not end is asked {asking}")

# ---- the page ----
rows = [{"point": n, "key": f"k{n}", "program": "p<q" if n % 2 else "p", "product": "m", "k.a": n // 2, "error": "it <broke>" if n == 5 else None, "cost": n,
         "objective": None if n == 5 else 100.0 - n, "command": f"--set k.a={n // 2}"} for n in range(12)]
results = gen9explore.table.Results(pandas.DataFrame(rows), pandas.DataFrame([(0, "total", "cycles", 1.0)], columns=["point", "kernel", "metric", "value"]))
shown = types.SimpleNamespace(path=pathlib.Path("a<b.yaml"), design="full")


class Figure:
    def tight_layout(self):
        self.tight = True

    def savefig(self, path, dpi, metadata):
        expect(self.tight and dpi == 110 and metadata == {"Software": None}, "how a figure is saved")
        path.write_bytes(b"a picture")


closed, kept = [], (figures.FIGURES, figures.outliers, figures.plt)
figures.FIGURES = {"good": (lambda results, metric: Figure(), "A good one"), "none": (lambda results, metric: f"No {metric} <here>.", "None")}
figures.plt = types.SimpleNamespace(close=closed.append)
figures.outliers = lambda results, metric: pandas.DataFrame([(n % 12, 1.234 + n, 5.67 + n) for n in range(far)], columns=["point", "factor", "deviations"])
for far in (21, 0):
    path = page.write(results, shown, base, "cyc<les", ["scripts/explore", "a b.yaml"])
    text = path.read_text()
    words = "scripts/explore 'a b.yaml'"
    parts = dict(zip(*[iter(re.split(r"<h2>(.*?)</h2>", text)[1:])] * 2))
    tables = {name: [[html.unescape(cell) for cell in re.findall(r"<t[hd]>(.*?)</t[hd]>", row)] for row in re.findall(r"<tr>(.*?)</tr>", part)] for name, part in parts.items()}
    expect(path == base / "report.html" and not (base / "part-report.html").exists() and text.startswith("<!DOCTYPE html>") and text.endswith("</body></html>\n"), "the page's file")
    expect("<h1>a&lt;b.yaml</h1><p>12 points, 1 failed; design: full, metric: cyc&lt;les.</p>" in text and f"<pre>{html.escape(words)}</pre>" in text, "the page's head")
    expect(parts["A good one"].count("data:image/png;base64,YSBwaWN0dXJl'") == 1 and f"<pre>{html.escape(words)} --metric cyc&lt;les --figure good</pre>" in parts["A good one"], "a figure")
    expect(parts["None"].strip() == "<p>No cyc&lt;les &lt;here&gt;.</p>", f"no figure: {parts['None']}")
    best = sorted(((row["program"], row["point"]) for row in rows if row["objective"]), key=lambda one: (one[0], -one[1]))
    best = [one for _, some in itertools.groupby(best, key=lambda one: one[0]) for one in list(some)[:3]]
    expect(tables["Best points by the objective"] == [["program", "point", "objective", "settings", "command"]] +
           [[program, str(n), f"{100 - n}", f"k.a={n // 2}", f"{words} --point {n}"] for program, n in best], f"best points: {tables['Best points by the objective']}")
    expect(tables["Failed points"] == [["point", "program", "error", "command"], ["5", "p<q", "it <broke>", f"{words} --point 5"]], f"failed: {tables['Failed points']}")
    outliers = [[str(n % 12), f"{1.234 + n:.2f}", f"{5.67 + n:.1f}", "p<q" if n % 2 else "p", f"{words} --point {n % 12}"] for n in range(min(far, 20))]
    expect(tables["Outliers"] == ([["point", "factor", "deviations", "program", "command"]] + outliers if far else []) and ("None." in parts["Outliers"]) == (not far), f"outliers: {tables['Outliers']}")
expect(len(closed) == 2 and (base / "figures/good.png").read_bytes() == b"a picture", "figures are closed")
whole = gen9explore.table.Results(results.points[results.points["point"] < 5], results.metrics)
expect("Failed points" not in page.write(whole, shown, base, "cycles", ["x"]).read_text(), "a page without failed points")
refused("a figure that is not there", ("--figure 'bad' is not allowed: good|none",), page.draw, results, "bad", "cycles", base)
figures.FIGURES, figures.outliers, figures.plt = kept
finish()
