# SPDX-License-Identifier: Apache-2.0
"""same_as_llvmpipe.py GEN9SIM MODE GL_SCENES [--keep FOLDER] [--set NAME=VALUE...] SCENE...: scenes (all: every one) drawn by Intel's
driver on the model are those that Mesa's driver for the processor draws, within each scene's tolerance. Proves that the model drew."""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from checks import expect, finish  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument("gen9sim")
parser.add_argument("mode")
parser.add_argument("program")
parser.add_argument("--keep", help="a folder that the pictures stay in")
parser.add_argument("--set", action="append", default=[], dest="settings")
parser.add_argument("scenes", nargs="+")
asked = parser.parse_args()
WIDTH = 64

listed = subprocess.run([asked.program, "list"], check=True, capture_output=True, text=True).stdout
tolerances = {line.split()[0]: int(line.split()[1]) for line in listed.splitlines()}
names = list(tolerances) if asked.scenes == ["all"] else asked.scenes


def draw(folder, command, environment):
    folder.mkdir(parents=True, exist_ok=True)
    done = subprocess.run([*command, asked.program, str(folder), *names], capture_output=True, text=True,
                          env={**os.environ, **environment})
    expect(done.returncode == 0, f"{command[:1]}: status {done.returncode}: {done.stdout}{done.stderr[-3000:]}")
    return done.stdout


def differs(name, ours, theirs):
    """Empty, or how a picture differs."""
    if not ours.exists() or not theirs.exists():
        return "there is no picture"
    a, b = ours.read_bytes(), theirs.read_bytes()
    if len(a) != len(b):
        return f"{len(a)} bytes for {len(b)}"
    wrong = [i // 4 for i, (x, y) in enumerate(zip(a, b)) if abs(x - y) > tolerances[name]]
    if not wrong:
        return ""
    place = wrong[0]
    largest = max(abs(x - y) for x, y in zip(a, b))
    return (f"{len(set(wrong))} pixels, the first at ({place % WIDTH}, {place // WIDTH}): "
            f"{tuple(a[4 * place:4 * place + 4])} for {tuple(b[4 * place:4 * place + 4])}; largest step {largest}")


with tempfile.TemporaryDirectory() as temporary:
    folder = pathlib.Path(asked.keep or temporary)
    statistics = folder / "statistics.json"
    software = draw(folder / "llvmpipe", [], {"LIBGL_ALWAYS_SOFTWARE": "1"})
    settings = [word for setting in asked.settings for word in ("--set", setting)]
    model = draw(folder / "model", [asked.gen9sim, "run", "--timing", asked.mode, *settings, "--stats", str(statistics), "--"],
                 {"MESA_SHADER_CACHE_DISABLE": "1"})
    expect("llvmpipe" in software and "llvmpipe" not in model and "Intel" in model, f"who drew: {software!r}, {model!r}")
    counted = json.dumps(json.loads(statistics.read_text())) if statistics.exists() else ""
    expect("render_target" in counted, "the statistics tell of no render target")
    bad = 0
    for name in names:
        difference = differs(name, folder / "model" / f"{name}.rgba", folder / "llvmpipe" / f"{name}.rgba")
        bad += difference != ""
        expect(difference == "", f"{name}: {difference}")
    print(f"{len(names) - bad} of {len(names)} scenes are the same")
finish()
