# SPDX-License-Identifier: Apache-2.0
"""random_shaders.py GEN9SIM MODE GL_SHADER [--first SEED] [--count N] [--keep FOLDER]: pictures that random fragment shaders draw on the
model by Intel's driver are those that Mesa's driver for the processor draws. Where the two differ, Mesa's other driver for the processor,
softpipe, which interprets, says which is right. MODE reference: llvmpipe with vectors of 128 bits and without
optimisation instead of the model. With --spirv the shaders are SPIR-V and lavapipe is asked (nobody else is). GL_SHADER draws FOLDER/N.frag and writes FOLDER/N.rgba, both targets one behind the other.

Integers are exact. Floats are kept exact too: multiples of 1/256 of small size, by additions, minima, floors and products with powers
of two. Left out is what GLSL ES leaves open: division by zero, shifts by 32 and more, array indices out of range, derivatives and
textures with derivatives where a neighbour takes another way, loops without an end, values that are not set."""
import argparse
import os
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from checks import expect, finish  # noqa: E402

SPIRV_HEAD = """#version 450
layout(set = 0, binding = 1) uniform sampler2D pictures[4];
layout(set = 0, binding = 1) uniform usampler2D numbers[4];
#define colors pictures[0]
#define words numbers[1]
layout(location=0) in vec2 at;
layout(location=0) out vec4 first;
layout(location=1) out vec4 second;
"""
DRIVERS = pathlib.Path("/usr/share/vulkan/icd.d")
HEAD = """#version 310 es
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp usampler2D;
uniform sampler2D colors;
uniform usampler2D words;
in vec2 at;
layout(location=0) out vec4 first;
layout(location=1) out vec4 second;
"""


class Shader:
    """Text of a shader; every statement is legal and means one thing."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.ints, self.floats = ["i0", "i1", "i2"], ["f0", "f1", "f2"]
        self.lines, self.depth, self.loops, self.budget = [], 1, 0, self.random.randint(8, 24)

    def pick(self, *choices):
        return self.random.choice(choices)

    def line(self, text):
        self.lines.append("    " * self.depth + text)

    def integer(self, levels=2):
        """An expression of type uint."""
        if levels == 0 or self.random.random() < 0.2:
            return self.pick(*self.ints, *self.ints, f"{self.random.choice((0, 1, 2, 7, 255, 65535, 0x80000000, 0xFFFFFFFF))}u",
                             f"{self.random.getrandbits(32)}u")
        a, b = self.integer(levels - 1), self.integer(levels - 1)
        return self.pick(f"({a} + {b})", f"({a} - {b})", f"({a} * {b})", f"({a} & {b})", f"({a} | {b})", f"({a} ^ {b})", f"(~{a})",
                         f"({a} << ({b} & 31u))", f"({a} >> ({b} & 31u))", f"uint(int({a}) >> int({b} & 31u))", f"({a} / ({b} | 1u))",
                         f"({a} % ({b} | 1u))", f"min({a}, {b})", f"max({a}, {b})", f"uint(abs(int({a} >> 1)))",
                         f"uint(max(int({a}), int({b})))", f"bitfieldReverse({a})", f"uint(bitCount({a}))", f"uint(findMSB({a} >> 1))",
                         f"uint(findLSB({a}))", f"bitfieldExtract({a}, int({b} & 15u), int({b} >> 4 & 15u))",
                         f"bitfieldInsert({a}, {b}, int({a} & 15u), int({b} & 15u))", f"({self.condition(levels - 1)} ? {a} : {b})",
                         f"texelFetch(words, ivec2({a} & 15u, {b} & 15u), 0).{self.pick('x', 'y')}")

    def real(self, levels=2):
        """An expression of type float: a multiple of 1/256 below 2^14 in size; statements bring it back into its range."""
        if levels == 0 or self.random.random() < 0.2:
            return self.pick(*self.floats, *self.floats, f"({self.random.randint(-512, 512) / 64})", f"float(({self.pick(*self.ints)} & 255u))")
        a, b = self.real(levels - 1), self.real(levels - 1)
        return self.pick(f"({a} + {b})", f"({a} - {b})", f"min({a}, {b})", f"max({a}, {b})", f"abs({a})", f"(- {a})", f"floor({a})",
                         f"ceil({a})", f"trunc({a})", f"({a} * {self.pick('0.0', '1.0', '-1.0', '2.0', '-2.0')})", f"sign({a})",
                         f"fract({a})", f"clamp({a}, -1.5, 2.25)", f"step({a}, {b})", f"({self.condition(levels - 1)} ? {a} : {b})",
                         f"mix({a}, {b}, {self.condition(levels - 1)})", f"float(int({self.integer(levels - 1)} & 127u))",
                         f"(texelFetch(colors, ivec2({self.integer(levels - 1)} & 15u, {self.integer(levels - 1)} & 7u), 0)."
                         f"{self.pick('r', 'g', 'b')} > 0.5 ? {a} : {b})")

    def condition(self, levels=1):
        if levels > 0 and self.random.random() < 0.3:
            a, b = self.condition(levels - 1), self.condition(levels - 1)
            return self.pick(f"({a} && {b})", f"({a} || {b})", f"!{a}", f"({a} ^^ {b})")
        how = self.pick("<", "<=", ">", ">=", "==", "!=")
        if self.random.random() < 0.5:
            return f"({self.real(0)} {how} {self.real(0)})"
        return f"({self.integer(0)} {how} {self.integer(0)})"

    def assign(self):
        if self.random.random() < 0.5:
            self.line(f"{self.pick(*self.ints)} {self.pick('', '^', '+')}= {self.integer(3)};")
        else:
            name = self.pick(*self.floats)
            self.line(f"{name} = {self.real(3)};")
            self.line(f"{name} = floor(clamp({name}, -64.0, 64.0) * 256.0) / 256.0;")

    def block(self):
        self.depth += 1
        for _ in range(self.random.randint(1, 3)):
            self.statement()
        self.depth -= 1

    def statement(self):
        self.budget -= 1
        kind = self.random.random()
        if self.budget <= 0 or self.depth > 4 or kind < 0.5:
            self.assign()
        elif kind < 0.68:
            self.line(f"if ({self.condition()}) {{")
            self.block()
            if self.random.random() < 0.5:
                self.line("} else {")
                self.block()
            self.line("}")
        elif kind < 0.85 and self.loops < 3:
            counter = f"n{self.loops}"
            self.loops += 1
            bound = self.pick("5u", "9u", f"({self.pick(*self.ints)} & 7u)")
            self.line(f"for (uint {counter} = 0u, e{counter} = {bound}; {counter} < e{counter}; ++{counter}) {{")
            self.block()
            if self.random.random() < 0.5:
                self.line(f"    if ({self.condition()}) {self.pick('break', 'continue')};")
                self.depth += 1
                self.assign()
                self.depth -= 1
            self.line("}")
        elif kind < 0.93:
            self.line(f"switch (int({self.integer(1)} & 3u)) {{")
            for case in self.random.sample(range(4), 3):
                self.line(f"case {case}:")
                self.block()
                if self.random.random() < 0.7:
                    self.line("    break;")
            self.line("default:")
            self.block()
            self.line("}")
        else:
            self.line(f"if ({self.condition()} && (i0 & 3u) == {self.random.randint(0, 3)}u) discard;")

    def text(self, head=HEAD):
        self.line("uint i0 = uint(gl_FragCoord.x), i1 = uint(gl_FragCoord.y), i2 = i0 * 73u + i1 * 1031u;")
        self.line("float f0 = floor(gl_FragCoord.x) / 8.0, f1 = floor(gl_FragCoord.y) - 32.0, f2 = f0 - f1;")
        # Here all lanes of a block of four are together: derivatives and levels mean one thing.
        if self.random.random() < 0.7:
            self.line(f"f2 = dFdx(floor(gl_FragCoord.x) * {self.pick('0.25', '2.0')}) + dFdy(f1) * {self.pick('1.0', '-3.0')} + fwidth(f0);")
        if self.random.random() < 0.7:
            self.line(f"i2 ^= texture(words, gl_FragCoord.xy / {self.pick('16.0', '64.0')}).{self.pick('x', 'y')};")
        if self.random.random() < 0.5:
            self.line("f0 += textureLod(colors, (floor(gl_FragCoord.xy / 4.0) + 0.5) / 16.0, 0.0).g > 0.401 ? 1.0 : -1.5;")
        while self.budget > 0:
            self.statement()
        self.line("uint folded = i0 ^ i1 * 3u ^ i2 * 7u;")
        self.line("first = vec4(folded & 255u, folded >> 8 & 255u, folded >> 16 & 255u, folded >> 24) / 255.0;")
        self.line("uvec3 halves = uvec3(ivec3(floor(vec3(f0, f1, f2) * 4.0)) & 255);")
        self.line("second = vec4(vec3(halves) / 255.0, 1.0);")
        return head + "void main() {\n" + "\n".join(self.lines) + "\n}\n"


parser = argparse.ArgumentParser()
parser.add_argument("gen9sim")
parser.add_argument("mode", choices=("functional", "timed", "reference"))
parser.add_argument("program")
parser.add_argument("--first", type=int, default=int(os.environ.get("GEN9_SAMPLE_SEED", 1)), help="default: the seed of samples")
parser.add_argument("--count", type=int, default=10)
parser.add_argument("--spirv", metavar="COMPILER", help="the same shaders as SPIR-V by this compiler (glslangValidator): Vulkan; the program is vulkan_scenes")
parser.add_argument("--keep", help="a folder that shaders and pictures stay in")
asked = parser.parse_args()
seeds = range(asked.first, asked.first + asked.count)
PROCESSOR = {"LIBGL_ALWAYS_SOFTWARE": "1", "VK_ICD_FILENAMES": str(DRIVERS / "lvp_icd.x86_64.json")}


def write(seed):
    """The shader as the program takes it."""
    if not asked.spirv:
        (folder / f"{seed}.frag").write_text(Shader(seed).text())
        return
    source = folder / f"{seed}.frag"
    source.write_text(Shader(seed).text(SPIRV_HEAD))
    done = subprocess.run([asked.spirv, "-V", "--quiet", "--target-env", "vulkan1.2", "-o", str(folder / f"{seed}.spv"), str(source)],
                          capture_output=True, text=True)
    expect(done.returncode == 0, f"seed {seed}: {done.stdout}{done.stderr}")


def draw(folder, source, command, environment, seeds=seeds):
    folder.mkdir(parents=True, exist_ok=True)
    done = subprocess.run([*command, asked.program, *(["spirv"] if asked.spirv else []), str(source), str(folder), *map(str, seeds)], capture_output=True, text=True,
                          env={**os.environ, **environment})
    expect(done.returncode == 0, f"{command[:1]}: status {done.returncode}: {done.stdout}{done.stderr[-2000:]}")
    return done.stdout


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
        if ours != theirs and asked.mode != "reference" and not asked.spirv:
            arbiter = draw(folder / "softpipe", folder, [], {"LIBGL_ALWAYS_SOFTWARE": "1", "GALLIUM_DRIVER": "softpipe"}, [seed])
            expect("softpipe" in arbiter, f"who drew: {arbiter!r}")
            others.append(seed)
            theirs = (folder / "softpipe" / f"{seed}.rgba").read_bytes()
        wrong = [i // 4 for i, (x, y) in enumerate(zip(ours, theirs)) if x != y]
        same += not wrong
        if wrong:
            place = wrong[0]
            expect(False, f"seed {seed}: {len(set(wrong))} pixels, the first at ({place % 64}, {place // 64 % 64}) of target {place // 4096}: "
                          f"{tuple(ours[4 * place:4 * place + 4])} for {tuple(theirs[4 * place:4 * place + 4])}")
    print(f"{same} of {len(seeds)} shaders draw the same" + (f"; softpipe was asked about {others}" if others else ""))
finish()
