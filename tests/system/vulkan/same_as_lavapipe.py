# SPDX-License-Identifier: Apache-2.0
"""same_as_lavapipe.py GEN9SIM MODE VULKAN_SCENES [--keep FOLDER] [--set NAME=VALUE...] [--validate] SCENE...: scenes (all: every one)
drawn by Intel's driver on the model are those that Mesa's driver for the processor draws, within each scene's tolerance. Proves that
the model drew. --validate: Vulkan's validation layer finds nothing in the program. MODE reference: lavapipe against lavapipe."""
import argparse
import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from checks import expect, expect_drawn, finish  # noqa: E402
from scenes import Scenes  # noqa: E402

DRIVERS = pathlib.Path("/usr/share/vulkan/icd.d")
REFERENCE = {"VK_ICD_FILENAMES": str(DRIVERS / "lvp_icd.x86_64.json")}
MODEL = {"VK_ICD_FILENAMES": str(DRIVERS / "intel_icd.x86_64.json"), "MESA_SHADER_CACHE_DISABLE": "1"}

parser = argparse.ArgumentParser()
parser.add_argument("gen9sim")
parser.add_argument("mode", choices=("functional", "timed", "reference"))
parser.add_argument("program")
parser.add_argument("--keep", help="a folder that the pictures stay in")
parser.add_argument("--set", action="append", default=[], dest="settings")
parser.add_argument("--validate", action="store_true")
parser.add_argument("scenes", nargs="+")
asked = parser.parse_args()

scenes = Scenes(asked.program, asked.scenes, has_places=True)


def driver(text):
    return next((line.removeprefix("driver: ") for line in text.splitlines() if line.startswith("driver: ")), "none")


with tempfile.TemporaryDirectory() as temporary:
    folder = pathlib.Path(asked.keep or temporary)
    statistics = folder / "statistics.json"
    layers = {"VK_INSTANCE_LAYERS": "VK_LAYER_KHRONOS_validation"} if asked.validate else {}
    software = scenes.draw(folder / "lavapipe", [], REFERENCE | layers)
    expect(driver(software) == "llvmpipe", f"who drew: {software[:1000]!r}")
    found = [line for line in software.splitlines() if line.startswith(("Validation", "VUID", "UNASSIGNED"))]
    expect(not found, "the validation layer: " + "\n".join(found[:5]))
    if asked.mode == "reference":
        scenes.draw(folder / "model", [], REFERENCE)
    else:
        settings = [word for setting in asked.settings for word in ("--set", setting)]
        model = scenes.draw(folder / "model", [asked.gen9sim, "run", "--timing", asked.mode, *settings, "--stats", str(statistics), "--"], MODEL)
        expect(driver(model).startswith("Intel"), f"who drew: {model[:1000]!r}")
        expect_drawn(json.loads(statistics.read_text()))
    scenes.compare(folder / "model", folder / "lavapipe")
finish()
