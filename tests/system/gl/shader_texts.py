# SPDX-License-Identifier: Apache-2.0
"""Texts of random shaders of every stage that draws, for random_shaders.py.

Integers are exact. Floats are kept exact too: multiples of 1/256 of small size, by additions, minima, floors and products with powers
of two. Left out is what GLSL ES leaves open: division by zero, shifts by 32 and more, array indices out of range, derivatives and
textures with derivatives where a neighbour takes another way, loops without an end, values that are not set. Two variables are not
compared as they are: Intel's driver takes the flags of an earlier subtraction of the two for it, also when one was written since.

Stages before the fragment shader compute six numbers for each of 1,024 places, blocks of 2 x 2 pixels. The fragment shader shows them.
A place is drawn as a point or as a strip of two triangles. Nothing is drawn where a geometry shader makes no vertex."""
import random

SPIRV = "#version 450\n"
ES = """#version {version} es
{extensions}precision highp float;
precision highp int;
precision highp sampler2D;
precision highp usampler2D;
"""
SPIRV_PICTURES = """layout(set = 0, binding = 1) uniform sampler2D pictures[4];
layout(set = 0, binding = 1) uniform usampler2D numbers[4];
#define colors pictures[0]
#define words numbers[1]
"""
ES_PICTURES = """uniform sampler2D colors;
uniform usampler2D words;
"""
TARGETS = """layout(location=0) out vec4 first;
layout(location=1) out vec4 second;
"""
# Both targets show all bits of the integers, folded, and the low bits of the floats.
SHOW = """    uint folded = {i0} ^ {i1} * 3u ^ {i2} * 7u;
    first = vec4(folded & 255u, folded >> 8 & 255u, folded >> 16 & 255u, folded >> 24) / 255.0;
    uvec3 halves = uvec3(ivec3(floor(vec3({f0}, {f1}, {f2}) * 4.0)) & 255);
    second = vec4(vec3(halves) / 255.0, 1.0);"""
PLACE = """vec4 place(uint slot) {
    return vec4((vec2(slot % 32u, slot / 32u) + 0.5) / 16.0 - 1.0, 0.0, 1.0);
}
"""
SLOTS = 1024


class Body:
    """Statements of a shader, on integers i0 to i2 and floats f0 to f2; each is legal and means one thing."""

    def __init__(self, random_, budget, own=None, words=(), reals=()):
        """own: makes a statement of the stage's own. words, reals: what else there is to read, with {} for an index of type uint."""
        self.random, self.budget, self.own, self.more_words, self.more_reals = random_, budget, own, words, reals
        self.ints, self.floats = ["i0", "i1", "i2"], ["f0", "f1", "f2"]
        self.lines, self.depth, self.loops = [], 1, 0

    def pick(self, *choices):
        return self.random.choice(choices)

    def line(self, text):
        self.lines.append("    " * self.depth + text)

    def integer(self, levels=2):
        """An expression of type uint."""
        if levels == 0 or self.random.random() < 0.2:
            if self.more_words and self.random.random() < 0.3:
                return self.pick(*self.more_words).format(self.pick(*self.ints))
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
            if self.more_reals and self.random.random() < 0.3:
                return self.pick(*self.more_reals).format(self.pick(*self.ints))
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
            a, b = self.real(0), self.real(0)
            return f"({a} {how} {f'floor({b})' if b in self.floats else b})"
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
        elif self.own:
            self.line(self.own(self))
        else:
            self.assign()

    def statements(self):
        while self.budget > 0:
            self.statement()


class Program:
    """Shaders of a program by the ends of their files' names, and how it is drawn: kind, vertices, vertices of a patch."""

    def __init__(self, seed, kind, spirv):
        self.random, self.spirv, self.shaders, self.how = random.Random(seed if kind == "fragment" else f"{kind} {seed}"), spirv, {}, "triangle"
        self.parts = {}  # of stages before the fragment shader: statements, and how they are run
        self.version = 320 if kind in ("geometry", "tessellation") else 310
        {"fragment": self.fragment, "vertex": self.vertex_alone, "geometry": self.before_geometry, "tessellation": self.tessellation}[kind]()

    def head(self, extensions=()):
        if self.spirv:
            return SPIRV + SPIRV_PICTURES
        return ES.format(version=self.version, extensions="".join(f"#extension {name} : require\n" for name in extensions)) + ES_PICTURES

    def fragment(self):
        body = Body(self.random, self.random.randint(8, 24),
                    lambda body: f"if ({body.condition()} && (i0 & 3u) == {body.random.randint(0, 3)}u) discard;")
        body.line("uint i0 = uint(gl_FragCoord.x), i1 = uint(gl_FragCoord.y), i2 = i0 * 73u + i1 * 1031u;")
        body.line("float f0 = floor(gl_FragCoord.x) / 8.0, f1 = floor(gl_FragCoord.y) - 32.0, f2 = f0 - f1;")
        # Here all lanes of a block of four are together: derivatives and levels mean one thing.
        if self.random.random() < 0.7:
            body.line(f"f2 = dFdx(floor(gl_FragCoord.x) * {body.pick('0.25', '2.0')}) + dFdy(f1) * {body.pick('1.0', '-3.0')} + fwidth(f0);")
        if self.random.random() < 0.7:
            body.line(f"i2 ^= texture(words, gl_FragCoord.xy / {body.pick('16.0', '64.0')}).{body.pick('x', 'y')};")
        if self.random.random() < 0.5:
            body.line("f0 += textureLod(colors, (floor(gl_FragCoord.xy / 4.0) + 0.5) / 16.0, 0.0).g > 0.401 ? 1.0 : -1.5;")
        body.statements()
        place = "layout(location=0) in vec2 at;\n" if self.spirv else "in vec2 at;\n"
        shown = SHOW.format(i0="i0", i1="i1", i2="i2", f0="f0", f1="f1", f2="f2")
        self.shaders["frag"] = self.head() + place + TARGETS + "void main() {\n" + "\n".join([*body.lines, shown]) + "\n}\n"

    def shows(self, stage):
        """The fragment shader behind a stage whose outputs have the prefix `stage`."""
        numbers = {f"i{i}": f"{stage}_words.{'xyz'[i]}" for i in range(3)} | {f"f{i}": f"{stage}_reals.{'xyz'[i]}" for i in range(3)}
        self.shaders["frag"] = (self.head() + f"layout(location=0) flat in uvec3 {stage}_words;\nlayout(location=1) flat in vec3 {stage}_reals;\n" +
                                TARGETS + "void main() {\n" + SHOW.format(**numbers) + "\n}\n")

    def vertex(self, budget, more=0, last=False):
        """more: vectors of four beside the six numbers, for the stage behind."""
        body = Body(self.random, budget)
        body.line(f"uint i0 = uint({'gl_VertexIndex' if self.spirv else 'gl_VertexID'}), i1 = i0 / 32u, i2 = i0 * 73u + i1 * 1031u;")
        body.line("float f0 = float(i0 % 64u) / 8.0, f1 = float(i1) - 16.0, f2 = f0 - f1;")
        if last:
            body.line("gl_Position = place(i0);")
            body.line("gl_PointSize = 2.0;")
        body.statements()
        body.line("v_words = uvec3(i0, i1, i2);")
        body.line("v_reals = vec3(f0, f1, f2);")
        for i in range(more):
            body.line(f"v_more[{i}] = uvec4(i0 + {i}u, i1 ^ {i}u, i2 * {i}u, {i}u);")
        self.parts["vertex"] = {"lines": body.lines}
        outputs = "layout(location=0) flat out uvec3 v_words;\nlayout(location=1) flat out vec3 v_reals;\n"
        if more:
            outputs += f"layout(location=2) flat out uvec4 v_more[{more}];\n"
        self.shaders["vert"] = self.head() + outputs + PLACE + "void main() {\n" + "\n".join(body.lines) + "\n}\n"

    def vertex_alone(self):
        self.vertex(self.random.randint(8, 24), last=True)
        self.shows("v")
        self.how = f"points {SLOTS} 0"

    def reads(self, prefix, count, more=0):
        """What a stage may read of `count` vertices: expressions of type uint, and of type float."""
        index = f"[int({{}} % {count}u)]"
        words = [f"{prefix}_words{index}.{c}" for c in "xyz"]
        words += [f"{prefix}_more{index}[{self.random.randrange(more)}].{self.random.choice('xyzw')}" for _ in range(4) if more]
        return words, [f"{prefix}_reals{index}.{c}" for c in "xyz"]

    def inputs(self, prefix, more):
        text = f"layout(location=0) flat in uvec3 {prefix}_words[];\nlayout(location=1) flat in vec3 {prefix}_reals[];\n"
        return text + (f"layout(location=2) flat in uvec4 {prefix}_more[][{more}];\n" if more else "")

    def before_geometry(self):
        more = self.random.choice((0, 0, 1, 5, 12))
        self.vertex(self.random.randint(2, 6), more)
        kind, count = self.random.choice((("points", 1), ("lines", 2), ("triangles", 3), ("lines_adjacency", 4), ("triangles_adjacency", 6)))
        invocations, most = self.random.choice((1, 1, 2, 3, 8, 9)), self.random.randint(1, 6)
        self.geometry("v", kind, count, more, invocations, most, f"(uint(gl_PrimitiveIDIn) * {invocations}u + uint(gl_InvocationID)) * {most}u")
        self.parts["geometry"]["primitives"] = SLOTS // (invocations * most)
        self.shows("g")
        self.how = f"{kind} {SLOTS // (invocations * most) * count} 0"

    def geometry(self, prefix, kind, count, more, invocations, most, slot, declarations=""):
        """Up to `most` places from `slot` on."""
        strips = self.random.random() < 0.4
        words, reals = self.reads(prefix, count, more)
        body = Body(self.random, self.random.randint(6, 16), lambda body: "made(i0, i1, i2, f0, f1, f2);", words, reals)
        body.line(f"uint i0 = {prefix}_words[0].x, i1 = uint(gl_InvocationID) + {prefix}_words[{count - 1}].y, i2 = uint(gl_PrimitiveIDIn) * 77u + i1;")
        body.line(f"float f0 = {prefix}_reals[0].x, f1 = {prefix}_reals[{count - 1}].y, f2 = f0 - f1;")
        body.line(f"f2 = floor(clamp(f2, -64.0, 64.0) * 256.0) / 256.0;")
        for _ in range(self.random.randint(1, most)):
            body.budget += 3
            while body.budget > 6:
                body.statement()
            if self.random.random() < 0.5:
                body.line(f"if ({body.condition()}) made(i0, i1, i2, f0, f1, f2);")
            else:
                body.line("made(i0, i1, i2, f0, f1, f2);")
        self.parts["geometry"] = {"lines": body.lines, "prefix": prefix, "count": count, "invocations": invocations, "most": most, "slot": slot}
        out = f"layout(triangle_strip, max_vertices = {4 * most}) out;\n" if strips else f"layout(points, max_vertices = {most}) out;\n"
        turns = "" if invocations == 1 else f", invocations = {invocations}"
        vertex = ("    for (int k = 0; k < 4; ++k) {\n        g_words = uvec3(a, b, c);\n        g_reals = vec3(p, q, r);\n"
                  "        gl_Position = place(slot) + vec4(k % 2 == 0 ? -0.03125 : 0.03125, k / 2 == 0 ? -0.03125 : 0.03125, 0.0, 0.0);\n"
                  "        EmitVertex();\n    }\n    EndPrimitive();\n") if strips else (
                  "    g_words = uvec3(a, b, c);\n    g_reals = vec3(p, q, r);\n    gl_Position = place(slot);\n    gl_PointSize = 2.0;\n    EmitVertex();\n")
        self.shaders["geom"] = (
            self.head(("GL_EXT_geometry_point_size",)) + f"layout({kind}{turns}) in;\n" + out + self.inputs(prefix, more) + declarations +
            "layout(location=0) flat out uvec3 g_words;\nlayout(location=1) flat out vec3 g_reals;\n" + PLACE + "uint count = 0u;\n"
            "void made(uint a, uint b, uint c, float p, float q, float r) {\n" +
            f"    if (count >= {most}u) return;\n    uint slot = {slot} + count;\n    ++count;\n" + vertex + "}\n"
            "void main() {\n" + "\n".join(body.lines) + "\n}\n")

    def tessellation(self):
        more = self.random.choice((0, 0, 1, 5))
        into, out = self.random.randint(1, 8), self.random.choice((1, 2, 3, 4, 5, 8, 9, 17, 32))
        self.vertex(self.random.randint(2, 6), more)
        domain = self.random.choice(("quads", "triangles", "isolines"))
        self.control(into, out, more, domain)
        self.evaluation(out, domain)
        if self.random.random() < 0.4:
            self.geometry("e", "points", 1, 0, 1, 1, "e_slot[0]", "layout(location=2) flat in uint e_slot[];\n")
            self.shows("g")
        else:
            self.shows("e")
        self.how = f"patches {SLOTS // 16 * into} {into}"

    def control(self, into, out, more, domain):
        words, reals = self.reads("v", into, more)
        body = Body(self.random, self.random.randint(4, 12), None, words, reals)
        body.line(f"uint i0 = v_words[gl_InvocationID % {into}].x + uint(gl_InvocationID), i1 = uint(gl_PrimitiveID), i2 = v_words[{into - 1}].z;")
        body.line(f"float f0 = v_reals[0].x, f1 = v_reals[{into - 1}].y, f2 = v_reals[gl_InvocationID % {into}].z;")
        body.statements()
        body.line("c_words[gl_InvocationID] = uvec3(i0, i1, i2);")
        body.line("c_reals[gl_InvocationID] = vec3(f0, f1, f2);")
        body.line("barrier();")
        shared_words, shared_reals = self.reads("c", out)
        body.more_words, body.more_reals, body.budget = (*words, *shared_words), (*reals, *shared_reals), self.random.randint(2, 8)
        body.statements()
        body.line("c_later[gl_InvocationID] = i0 ^ i1 + i2;")
        body.line("if (gl_InvocationID == 0) {")
        body.depth += 1
        body.line("p_words = uvec3(i0, i1, i2);")
        body.line("p_reals = vec3(f0, f1, f2);")
        body.line(f"p_level = 1u + i0 % {2 if domain == 'triangles' else 3}u;")
        for i in range(4):
            body.line(f"gl_TessLevelOuter[{i}] = float(p_level);")
        for i in range(2):
            body.line(f"gl_TessLevelInner[{i}] = float(p_level);")
        body.depth -= 1
        body.line("}")
        self.parts["control"] = {"lines": body.lines, "into": into, "out": out, "domain": domain}
        self.shaders["tesc"] = (
            self.head() + f"layout(vertices = {out}) out;\n" + self.inputs("v", more) +
            "layout(location=0) flat out uvec3 c_words[];\nlayout(location=1) flat out vec3 c_reals[];\nlayout(location=2) flat out uint c_later[];\n"
            "layout(location=3) patch out uvec3 p_words;\nlayout(location=4) patch out vec3 p_reals;\nlayout(location=5) patch out uint p_level;\n"
            "void main() {\n" + "\n".join(body.lines) + "\n}\n")

    def evaluation(self, out, domain):
        words, reals = self.reads("c", out)
        words += [f"c_later[int({{}} % {out}u)]", *(f"p_words.{c}" for c in "xyz")]
        body = Body(self.random, self.random.randint(4, 12), None, words, (*reals, *(f"p_reals.{c}" for c in "xyz")))
        # Corners, middles of edges and the centre of a triangle are at multiples of a sixth.
        parts = "6u" if domain == "triangles" else "p_level"
        body.line(f"uvec2 at = uvec2(round(gl_TessCoord.xy * float({parts})));")
        body.line("uint slot = uint(gl_PrimitiveID) * 16u + " + ("(at.x + 3u * at.y) % 16u;" if domain == "triangles" else "at.x + 4u * at.y;"))
        body.line("uint i0 = slot, i1 = p_words.x + at.x, i2 = p_words.y ^ at.y;")
        body.line("float f0 = float(at.x), f1 = float(at.y) / 4.0, f2 = p_reals.z;")
        body.line("gl_Position = place(slot);")
        body.line("gl_PointSize = 2.0;")
        body.line("e_slot = slot;")
        body.statements()
        body.line("e_words = uvec3(i0, i1, i2);")
        body.line("e_reals = vec3(f0, f1, f2);")
        self.parts["evaluation"] = {"lines": body.lines}
        spacing = self.random.choice(("equal_spacing, ", ""))
        self.shaders["tese"] = (
            self.head(("GL_EXT_tessellation_point_size",)) + f"layout({domain}, {spacing}point_mode) in;\n"
            "layout(location=0) flat in uvec3 c_words[];\nlayout(location=1) flat in vec3 c_reals[];\nlayout(location=2) flat in uint c_later[];\n"
            "layout(location=3) patch in uvec3 p_words;\nlayout(location=4) patch in vec3 p_reals;\nlayout(location=5) patch in uint p_level;\n"
            "layout(location=0) flat out uvec3 e_words;\nlayout(location=1) flat out vec3 e_reals;\nlayout(location=2) flat out uint e_slot;\n" +
            PLACE + "void main() {\n" + "\n".join(body.lines) + "\n}\n")
