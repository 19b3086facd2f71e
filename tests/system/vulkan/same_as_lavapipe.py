# SPDX-License-Identifier: Apache-2.0
"""same_as_lavapipe.py GEN9SIM MODE VULKAN_SCENES [--keep FOLDER] [--set NAME=VALUE...] [--validate] [--without SCENE] SCENE...: scenes (all: every one)
drawn by Intel's driver on the model are those that Mesa's driver for the processor draws, within each scene's tolerance. Proves that
the model drew. --validate: Vulkan's validation layer finds nothing in the program. MODE reference: lavapipe against lavapipe."""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from checks import expect, finish  # noqa: E402

DRIVERS = pathlib.Path("/usr/share/vulkan/icd.d")
REFERENCE = {"VK_ICD_FILENAMES": str(DRIVERS / "lvp_icd.x86_64.json")}
MODEL = {"VK_ICD_FILENAMES": str(DRIVERS / "intel_icd.x86_64.json"), "MESA_SHADER_CACHE_DISABLE": "1"}
WIDTH = 64

parser = argparse.ArgumentParser()
parser.add_argument("gen9sim")
parser.add_argument("mode", choices=("functional", "timed", "reference"))
parser.add_argument("program")
parser.add_argument("--keep", help="a folder that the pictures stay in")
parser.add_argument("--set", action="append", default=[], dest="settings")
parser.add_argument("--validate", action="store_true")
parser.add_argument("--without", action="append", default=[], help="a scene that is left out")
parser.add_argument("scenes", nargs="+")
asked = parser.parse_args()

listed = subprocess.run([asked.program, "list"], check=True, capture_output=True, text=True).stdout
tolerances = {line.split()[0]: int(line.split()[1]) for line in listed.splitlines()}
places = {line.split()[0]: int(line.split()[2]) for line in listed.splitlines()}
names = [name for name in (tolerances if asked.scenes == ["all"] else asked.scenes) if name not in asked.without]


def draw(folder, command, environment):
    folder.mkdir(parents=True, exist_ok=True)
    done = subprocess.run([*command, asked.program, str(folder), *names], capture_output=True, text=True,
                          env={**os.environ, **environment})
    expect(done.returncode == 0, f"{command[:1]}: status {done.returncode}: {done.stdout}{done.stderr[-3000:]}")
    return done.stdout + done.stderr


def differs(name, ours, theirs):
    """Empty, or how a picture differs."""
    if not ours.exists() or not theirs.exists():
        return "there is no picture"
    a, b = ours.read_bytes(), theirs.read_bytes()
    if len(a) != len(b):
        return f"{len(a)} bytes for {len(b)}"
    wrong = sorted({i // 4 for i, (x, y) in enumerate(zip(a, b)) if abs(x - y) > tolerances[name]})
    if len(wrong) <= places[name]:
        return ""
    place = wrong[0]
    largest = max(abs(x - y) for x, y in zip(a, b))
    return (f"{len(wrong)} pixels, the first at ({place % WIDTH}, {place // WIDTH}): "
            f"{tuple(a[4 * place:4 * place + 4])} for {tuple(b[4 * place:4 * place + 4])}; largest step {largest}")


def driver(text):
    return next((line.removeprefix("driver: ") for line in text.splitlines() if line.startswith("driver: ")), "none")


with tempfile.TemporaryDirectory() as temporary:
    folder = pathlib.Path(asked.keep or temporary)
    statistics = folder / "statistics.json"
    layers = {"VK_INSTANCE_LAYERS": "VK_LAYER_KHRONOS_validation"} if asked.validate else {}
    software = draw(folder / "lavapipe", [], REFERENCE | layers)
    expect(driver(software) == "llvmpipe", f"who drew: {software[:1000]!r}")
    found = [line for line in software.splitlines() if line.startswith(("Validation", "VUID", "UNASSIGNED"))]
    expect(not found, "the validation layer: " + "\n".join(found[:5]))
    if asked.mode == "reference":
        draw(folder / "model", [], REFERENCE)
    else:
        settings = [word for setting in asked.settings for word in ("--set", setting)]
        model = draw(folder / "model", [asked.gen9sim, "run", "--timing", asked.mode, *settings, "--stats", str(statistics), "--"], MODEL)
        expect(driver(model).startswith("Intel"), f"who drew: {model[:1000]!r}")
        counted = json.dumps(json.loads(statistics.read_text())) if statistics.exists() else ""
        expect("render_target" in counted, "the statistics tell of no render target")
    bad = 0
    for name in names:
        difference = differs(name, folder / "model" / f"{name}.rgba", folder / "lavapipe" / f"{name}.rgba")
        bad += difference != ""
        expect(difference == "", f"{name}: {difference}")
    print(f"{len(names) - bad} of {len(names)} scenes are the same")
finish()
