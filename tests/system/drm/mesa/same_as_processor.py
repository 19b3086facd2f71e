# SPDX-License-Identifier: Apache-2.0
"""same_as_processor.py GEN9SIM MODE PROGRAM [ARGS...]: shaders leave the same on the model, by Intel's driver, as on the
processor, by Mesa's driver for it. The program is called with the driver's name, a folder for its results, a seed, and ARGS.
It says how many dispatches it made; the model must have done as many launches, with instructions in each.

The processor's driver filters with all bits of its numbers (GALLIVM_PERF)."""
import array
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from checks import expect, finish  # noqa: E402

SEED = "7"
MODEL = {"MESA_SHADER_CACHE_DISABLE": "1"}
PROCESSOR = {"VK_ICD_FILENAMES": "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json", "LIBGL_ALWAYS_SOFTWARE": "1",
             "EGL_PLATFORM": "surfaceless", "GALLIVM_PERF": "no_aos_sampling,no_filter_hacks"}
# How far numbers may lie from each other, by the beginning of a case's name. What is not listed is equal.
ULP = 2.0 ** -23
FAR = {"sample.": 2 * ULP, "fetch.": ULP / 2, "texel_buffers": ULP / 2}


def far(name, place):
    """What a case's word may differ by, as a number, relative to the greater of it and one; 0: all bits are equal."""
    if name == "floats":
        return 64 * ULP if place % 24 >= 8 else 0
    return next((distance for start, distance in FAR.items() if name.startswith(start)), 0)


def words(file):
    return array.array("I", file.read_bytes())


def differences(name, is_, must_be):
    numbers, right = array.array("f", is_.tobytes()), array.array("f", must_be.tobytes())
    for place, (got, wanted) in enumerate(zip(is_, must_be)):
        if got == wanted:
            continue
        distance = abs(numbers[place] - right[place])
        if math.isnan(distance) or distance > far(name, place) * max(1, abs(right[place])):
            yield place, got, wanted, numbers[place], right[place]


gen9sim, mode, program, *arguments = sys.argv[1:]
with tempfile.TemporaryDirectory() as temporary:
    folder = pathlib.Path(temporary)
    model, processor, statistics = folder / "model", folder / "processor", folder / "run.json"
    model.mkdir(), processor.mkdir()
    done = subprocess.run([gen9sim, "run", "--door", "drm", "--timing", mode, "--stats", statistics, "--", program, "Intel", model, SEED, *arguments],
                          env={**os.environ, **MODEL}, capture_output=True, text=True, timeout=500)
    expect(done.returncode == 0, f"status {done.returncode}: {done.stdout}{done.stderr}")
    dispatches = re.search(r"^(\d+) dispatches$", done.stdout, re.MULTILINE)
    # The driver prepares images by draws of its own.
    works = json.loads(statistics.read_text())["kernels"] if statistics.exists() else []
    kernels = [work for work in works if work["command"] == "GPGPU_WALKER"]
    expect(dispatches and len(kernels) == int(dispatches[1]), f"{len(kernels)} launches: {done.stdout}")
    expect(all(kernel["instructions"] for kernel in kernels), "a launch without an instruction")
    reference = subprocess.run([program, "llvmpipe", processor, SEED, *arguments], env={**os.environ, **PROCESSOR}, capture_output=True, text=True, timeout=200)
    expect(reference.returncode == 0, f"on the processor: status {reference.returncode}: {reference.stdout}{reference.stderr}")
    files = sorted(processor.iterdir())
    expect(files and sorted(file.name for file in model.iterdir()) == [file.name for file in files], "not the same cases")
    for file in files:
        is_, must_be = words(model / file.name), words(file)
        expect(len(is_) == len(must_be) and len(set(must_be)) > 8, f"{file.name}: {len(is_)} words, {len(set(must_be))} values")
        wrong = list(differences(file.name, is_, must_be))
        expect(not wrong, f"{file.name}: {len(wrong)} of {len(is_)} words differ; [%d] is 0x%x, must be 0x%x (%g, %g)" % (wrong[0] if wrong else (0,) * 5))
    print(f"{len(files)} cases, {len(kernels)} launches")
finish()
