# SPDX-License-Identifier: Apache-2.0
"""random_shaders.py GEN9SIM MODE GL_SHADER [--kind KIND] [--first SEED] [--count N] [--keep FOLDER]: pictures that random shaders draw
on the model by Intel's driver are those that Mesa's driver for the processor draws. KIND says which stages are random (shader_texts.py).
Where the two differ, a third is asked: about fragment shaders of OpenGL Mesa's other driver for the processor, softpipe, which
interprets; about other stages a program of C++ (shader_oracle.py), for llvmpipe and lavapipe get some of them wrong. MODE reference:
llvmpipe with vectors of 128 bits and without optimisation instead of the model. With --spirv the shaders are SPIR-V and lavapipe is
asked. GL_SHADER draws the programs FOLDER/N.* and writes FOLDER/N.rgba, both targets one behind the other."""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from checks import expect, finish  # noqa: E402
from shader_oracle import pictures  # noqa: E402
from shader_texts import Program  # noqa: E402

DRIVERS = pathlib.Path("/usr/share/vulkan/icd.d")
parser = argparse.ArgumentParser()
parser.add_argument("gen9sim")
parser.add_argument("mode", choices=("functional", "timed", "reference"))
parser.add_argument("program")
parser.add_argument("--kind", choices=("fragment", "vertex", "geometry", "tessellation"), default="fragment")
parser.add_argument("--first", type=int, default=int(os.environ.get("GEN9_SAMPLE_SEED", 1)), help="default: the seed of samples")
parser.add_argument("--count", type=int, default=10)
parser.add_argument("--spirv", metavar="COMPILER", help="the same shaders as SPIR-V by this compiler (glslangValidator): Vulkan; the program is vulkan_scenes")
parser.add_argument("--keep", help="a folder that shaders and pictures stay in")
asked = parser.parse_args()
THIRD = "softpipe" if asked.kind == "fragment" else "a program of C++"
seeds = range(asked.first, asked.first + asked.count)
PROCESSOR = {"LIBGL_ALWAYS_SOFTWARE": "1", "VK_ICD_FILENAMES": str(DRIVERS / "lvp_icd.x86_64.json")}


def write(seed):
    """The shaders as the program takes them."""
    program = Program(seed, asked.kind, bool(asked.spirv))
    (folder / f"{seed}.how").write_text(program.how)
    for stage, text in program.shaders.items():
        source = folder / f"{seed}.{stage}"
        source.write_text(text)
        if asked.spirv:
            done = subprocess.run([asked.spirv, "-V", "--quiet", "--target-env", "vulkan1.2", "-o", f"{source}.spv", str(source)],
                                  capture_output=True, text=True)
            expect(done.returncode == 0, f"seed {seed}: {done.stdout}{done.stderr}")


def draw(folder, source, command, environment, seeds=seeds):
    folder.mkdir(parents=True, exist_ok=True)
    done = subprocess.run([*command, asked.program, *(["spirv"] if asked.spirv else []), str(source), str(folder), *map(str, seeds)], capture_output=True, text=True,
                          env={**os.environ, **environment})
    expect(done.returncode == 0, f"{command[:1]}: status {done.returncode}: {done.stdout}{done.stderr[-2000:]}")
    return done.stdout


def arbiter(seed, theirs):
    """What a third says; none for fragment shaders of Vulkan."""
    if asked.kind != "fragment":
        others.append(seed)
        return pictures(Program(seed, asked.kind, bool(asked.spirv)), folder)
    if asked.spirv:
        return theirs
    said = draw(folder / "softpipe", folder, [], {"LIBGL_ALWAYS_SOFTWARE": "1", "GALLIUM_DRIVER": "softpipe"}, [seed])
    expect("softpipe" in said, f"who drew: {said!r}")
    others.append(seed)
    return (folder / "softpipe" / f"{seed}.rgba").read_bytes()


with tempfile.TemporaryDirectory() as temporary:
    folder = pathlib.Path(asked.keep or temporary)
    folder.mkdir(parents=True, exist_ok=True)
    for seed in seeds:
        write(seed)
    software = draw(folder / "llvmpipe", folder, [], PROCESSOR)
    expect("llvmpipe" in software, f"who drew: {software!r}")
    if asked.mode == "reference":
        draw(folder / "model", folder, [], PROCESSOR | {"LP_NATIVE_VECTOR_WIDTH": "128", "GALLIVM_PERF": "no_opt"})
    else:
        model = draw(folder / "model", folder, [asked.gen9sim, "run", "--timing", asked.mode, "--"],
                     {"MESA_SHADER_CACHE_DISABLE": "1", "VK_ICD_FILENAMES": str(DRIVERS / "intel_icd.x86_64.json")})
        expect("Intel" in model and "llvmpipe" not in model, f"who drew: {model!r}")
    same, others = 0, []
    for seed in seeds:
        pair = [folder / which / f"{seed}.rgba" for which in ("model", "llvmpipe")]
        if not all(file.exists() for file in pair):
            expect(False, f"seed {seed}: there is no picture")
            continue
        ours, theirs = (file.read_bytes() for file in pair)
        if ours != theirs and asked.mode != "reference":
            theirs = arbiter(seed, theirs)
        wrong = [i // 4 for i, (x, y) in enumerate(zip(ours, theirs)) if x != y]
        same += not wrong
        if wrong:
            place = wrong[0]
            expect(False, f"seed {seed}: {len(set(wrong))} pixels, the first at ({place % 64}, {place // 64 % 64}) of target {place // 4096}: "
                          f"{tuple(ours[4 * place:4 * place + 4])} for {tuple(theirs[4 * place:4 * place + 4])}")
    print(f"{same} of {len(seeds)} shaders draw the same" + (f"; {THIRD} was asked about {others}" if others else ""))
finish()
