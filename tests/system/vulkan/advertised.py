# SPDX-License-Identifier: Apache-2.0
"""advertised.py GEN9SIM MODE VULKAN_FEATURES SHADERS [CASE...]: what anv advertises beside what the pictures use is right on the model;
so is what lavapipe offers of it. The model has done as many launches as the program says, with instructions in each."""
import argparse
import json
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from checks import expect, finish, run  # noqa: E402

DRIVERS = pathlib.Path("/usr/share/vulkan/icd.d")
PROCESSOR = {"VK_ICD_FILENAMES": str(DRIVERS / "lvp_icd.x86_64.json")}
MODEL = {"VK_ICD_FILENAMES": str(DRIVERS / "intel_icd.x86_64.json"), "MESA_SHADER_CACHE_DISABLE": "1"}
# Lavapipe never finds a pipeline in a cache, as a driver may.
OF_THE_DRIVER = {"feedback", "cache_control"}

parser = argparse.ArgumentParser()
parser.add_argument("gen9sim")
parser.add_argument("mode", choices=("functional", "timed"))
parser.add_argument("program")
parser.add_argument("shaders")
parser.add_argument("cases", nargs="*")
asked = parser.parse_args()


def results(done):
    return dict(re.findall(r"^(\w+): (.*)$", done.stdout, re.MULTILINE))


with tempfile.TemporaryDirectory() as folder:
    statistics = pathlib.Path(folder) / "run.json"
    done = run(asked.gen9sim, "run", "--timing", asked.mode, "--stats", statistics, "--", asked.program, asked.shaders, *asked.cases, environment=MODEL)
    expect(done.returncode == 0, f"status {done.returncode}: {done.stdout}{done.stderr}")
    model = results(done)
    expect(model.pop("driver", "").startswith("Intel"), f"who ran: {done.stdout[:300]}")
    for name, result in model.items():
        expect(result == "right", f"{name}: {result}")
    dispatches = re.search(r"^(\d+) dispatches$", done.stdout, re.MULTILINE)
    works = json.loads(statistics.read_text())["kernels"] if statistics.exists() else []
    # The driver copies by draws of its own.
    launches = [work for work in works if work["command"] == "GPGPU_WALKER"]
    expect(dispatches and len(launches) == int(dispatches[1]) > 0, f"{len(launches)} launches: {done.stdout}")
    expect(all(launch["instructions"] for launch in launches), "a launch without an instruction")

processor = results(run(asked.program, asked.shaders, *asked.cases, environment=PROCESSOR))
expect(processor.pop("driver", "") == "llvmpipe", f"who ran: {processor}")
expect(processor.keys() == model.keys(), f"other cases: {processor.keys() ^ model.keys()}")
lacking = [name for name, result in processor.items() if result.startswith("lacks")]
for name, result in processor.items():
    expect(result == "right" or name in lacking or name in OF_THE_DRIVER, f"on the processor, {name}: {result}")
print(f"{len(model)} cases, {len(launches)} launches; the processor's driver lacks {len(lacking)}")
finish()
