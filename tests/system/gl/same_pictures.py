# SPDX-License-Identifier: Apache-2.0
"""same_pictures.py GEN9SIM PROGRAM [--every N]: a picture is the same, bit for bit, in both timing modes, on one slice and on three, and whatever
order the machine's freedoms are used in (jitter). Of the list each Nth scene has its turn (GEN9_SAMPLE_SEED chooses, GEN9_WHOLE takes all)."""
import argparse
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from checks import expect, finish, has_its_turn  # noqa: E402
from scenes import Scenes  # noqa: E402

ENVIRONMENT = {"MESA_SHADER_CACHE_DISABLE": "1", "VK_ICD_FILENAMES": "/usr/share/vulkan/icd.d/intel_icd.x86_64.json"}
WAYS = {"functional": ["--timing", "functional"], "timed": ["--timing", "timed"],
        "jitter 3": ["--set", "gpu.jitter_cycles=200", "--set", "gpu.jitter_seed=3"], "jitter 4": ["--set", "gpu.jitter_cycles=200", "--set", "gpu.jitter_seed=4"],
        "three slices": ["--device", "skl-gt4", "--timing", "functional"], "three slices, timed": ["--device", "skl-gt4", "--timing", "timed"]}

parser = argparse.ArgumentParser()
parser.add_argument("gen9sim")
parser.add_argument("program")
parser.add_argument("--every", type=int, default=1)
asked = parser.parse_args()
scenes = Scenes(asked.program, ["all"])
scenes.names = [name for number, name in enumerate(scenes.names) if has_its_turn(number, asked.every)]
with tempfile.TemporaryDirectory() as temporary:
    first, *others = [(way, pathlib.Path(temporary) / way.replace(" ", "_")) for way in WAYS]
    for way, folder in (first, *others):
        said = scenes.draw(folder, [asked.gen9sim, "run", *WAYS[way], "--"], ENVIRONMENT)
        expect("Intel" in said and "3DPRIMITIVE" in said, f"{way}: who drew: {said[:300]}")
    for way, folder in others:
        for name in scenes.names:
            same = (folder / f"{name}.rgba").read_bytes() == (first[1] / f"{name}.rgba").read_bytes()
            expect(same, f"{name}: {way} and {first[0]} draw other pictures")
print(f"{len(scenes.names)} scenes in {len(WAYS)} ways")
finish()
