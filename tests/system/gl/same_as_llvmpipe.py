# SPDX-License-Identifier: Apache-2.0
"""same_as_llvmpipe.py GEN9SIM MODE GL_SCENES [--keep FOLDER] [--zink] [--debug WORDS] [--set NAME=VALUE...] SCENE...: scenes (all: every one) drawn by Intel's
driver on the model are those that Mesa's driver for the processor draws, within each scene's tolerance. Proves that the model drew.
--zink: by Mesa's OpenGL on top of Intel's Vulkan driver. --debug: words for the driver's INTEL_DEBUG."""
import argparse
import json
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from checks import counter_sums, expect, expect_drawn, finish  # noqa: E402
from scenes import Scenes  # noqa: E402

parser = argparse.ArgumentParser()
parser.add_argument("gen9sim")
parser.add_argument("mode")
parser.add_argument("program")
parser.add_argument("--keep", help="a folder that the pictures stay in")
parser.add_argument("--zink", action="store_true")
parser.add_argument("--debug", default="")
parser.add_argument("--set", action="append", default=[], dest="settings")
parser.add_argument("scenes", nargs="+")
asked = parser.parse_args()
scenes = Scenes(asked.program, asked.scenes)

with tempfile.TemporaryDirectory() as temporary:
    folder = pathlib.Path(asked.keep or temporary)
    statistics = folder / "statistics.json"
    software = scenes.draw(folder / "llvmpipe", [], {"LIBGL_ALWAYS_SOFTWARE": "1"})
    settings = [word for setting in asked.settings for word in ("--set", setting)]
    model = scenes.draw(folder / "model", [asked.gen9sim, "run", "--timing", asked.mode, *settings, "--stats", str(statistics), "--"],
                        {"MESA_SHADER_CACHE_DISABLE": "1", "INTEL_DEBUG": asked.debug, **({"MESA_LOADER_DRIVER_OVERRIDE": "zink"} if asked.zink else {})})
    renderer = "renderer: zink (Intel" if asked.zink else "renderer: Mesa Intel"
    expect("renderer: llvmpipe" in software and renderer in model, f"who drew: {software!r}, {model!r}")
    told = json.loads(statistics.read_text())
    expect_drawn(told)
    sums = counter_sums(told)
    # What the words turn off has not been used; the driver's own clears have 16 pixels a thread in any case.
    off = {"nohiz": sums["depth", "pixels_cleared"], "noccs": sums["render_target", "elements_filled"],
           "no16": sums["ps", "threads_16"] > sums["ps", "threads_8"] / 4, "no32": sums["ps", "threads_32"]}
    for word in filter(None, asked.debug.split(",")):
        expect(off[word] == 0, f"{word}: {off[word]} all the same")
    scenes.compare(folder / "model", folder / "llvmpipe")
finish()
