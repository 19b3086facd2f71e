# SPDX-License-Identifier: Apache-2.0
"""What random shaders of shader_texts.py draw, by none of Mesa's compilers: their statements are C++ as well, but for a few words. A
program of C++ runs them vertex by vertex. It is asked where two drivers differ."""
import pathlib
import re
import subprocess

PRELUDE = """
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <array>
#include <vector>
using uint = std::uint32_t;
struct ivec2 { uint x, y; };
struct uvec2 { uint x, y; };
struct uvec3 { uint x, y, z; };
struct uvec4 { uint x, y, z, w; };
struct vec3 { float x, y, z; };
struct Color { float r, g, b; };
struct Words {} words;
struct Colors {} colors;
uvec2 texelFetch(Words, ivec2 at, int) { const uint i = at.y * 16 + at.x; return {i * 2246822519u, ~i * 3266489917u}; }
Color texelFetch(Colors, ivec2 at, int) {
    const uint c = (at.y * 16 + at.x) * 2654435761u;
    return {(c & 255) / 255.0f, (c >> 8 & 255) / 255.0f, (c >> 16 & 255) / 255.0f};
}
uint min(uint a, uint b) { return std::min(a, b); }
uint max(uint a, uint b) { return std::max(a, b); }
int max(int a, int b) { return std::max(a, b); }
float min(float a, float b) { return std::min(a, b); }
float max(float a, float b) { return std::max(a, b); }
float abs(float a) { return std::fabs(a); }
float floor(float a) { return std::floor(a); }
float ceil(float a) { return std::ceil(a); }
float trunc(float a) { return std::trunc(a); }
float fract(float a) { return a - std::floor(a); }
float sign(float a) { return a > 0 ? 1.0f : a < 0 ? -1.0f : 0.0f; }
float clamp(float a, float low, float high) { return std::min(std::max(a, low), high); }
float step(float edge, float a) { return a < edge ? 0.0f : 1.0f; }
float mix(float a, float b, bool second) { return second ? b : a; }
int bitCount(uint a) { return std::popcount(a); }
int findMSB(uint a) { return a ? 31 - std::countl_zero(a) : -1; }
int findLSB(uint a) { return a ? std::countr_zero(a) : -1; }
uint bitfieldReverse(uint a) {
    uint reversed = 0;
    for (int i = 0; i < 32; ++i) reversed |= (a >> i & 1) << (31 - i);
    return reversed;
}
uint bitfieldExtract(uint a, int from, int bits) { return a >> from & ((1u << bits) - 1); }
uint bitfieldInsert(uint a, uint b, int from, int bits) {
    const uint mask = ((1u << bits) - 1) << from;
    return (a & ~mask) | (b << from & mask);
}
struct Shown { bool drawn = false; uvec3 words{}; vec3 reals{}; };
std::array<Shown, 1024> shown;
void show(uint slot, uvec3 w, vec3 r) { shown.at(slot) = {true, w, r}; }
"""
ENDING = """
    for (const Shown& s : shown) {
        const uint folded = s.words.x ^ s.words.y * 3u ^ s.words.z * 7u;
        const auto half = [](float f) { return static_cast<uint>(static_cast<int>(std::floor(f * 4.0f)) & 255); };
        std::printf("%d %u %u %u %u\\n", s.drawn, folded, half(s.reals.x), half(s.reals.y), half(s.reals.z));
    }
}
"""


def in_cpp(lines):
    """Statements as those of a method, whose six numbers are members."""
    text = "\n".join(lines).replace(" ^^ ", " != ").replace("uint i0 = ", "i0 = ").replace("float f0 = ", "f0 = ")
    text = re.sub(r"(?<![\w.])(\d+\.\d+)(?!\w)", r"\1f", text)
    text = re.sub(r"\b(uvec[234]|vec3|ivec2)\(", r"\1_(", text).replace("gl_Position = place(i0);", "").replace("gl_Position = place(slot);", "")
    return "\n".join(line for line in text.splitlines() if "gl_PointSize" not in line and "gl_TessLevel" not in line)


MAKERS = """
ivec2 ivec2_(uint x, uint y) { return {x, y}; }
uvec2 uvec2_(uint x, uint y) { return {x, y}; }
uvec3 uvec3_(uint x, uint y, uint z) { return {x, y, z}; }
uvec4 uvec4_(uint x, uint y, uint z, uint w) { return {x, y, z, w}; }
vec3 vec3_(float x, float y, float z) { return {x, y, z}; }
struct Numbers { uint i0, i1, i2; float f0, f1, f2; };
"""


def vertex(parts):
    return ("struct Vertex : Numbers { uint gl_VertexID; uvec3 v_words; vec3 v_reals; std::array<uvec4, 16> v_more; void main() {\n" +
            in_cpp(parts["vertex"]["lines"]).replace("gl_VertexIndex", "gl_VertexID") + "\n} };\n")


def inputs(prefix):
    return f"std::vector<uvec3> {prefix}_words; std::vector<vec3> {prefix}_reals; std::vector<std::array<uvec4, 16>> {prefix}_more; std::vector<uint> {prefix}_slot; "


def geometry(part):
    return (f"struct Geometry : Numbers {{ {inputs(part['prefix'])} int gl_PrimitiveIDIn, gl_InvocationID; uint count = 0;\n"
            f"void made(uint a, uint b, uint c, float p, float q, float r) {{ if (count >= {part['most']}u) return;\n"
            f"show({part['slot']} + count, {{a, b, c}}, {{p, q, r}}); ++count; }}\nvoid main() {{\n" + in_cpp(part["lines"]) + "\n} };\n")


def program_of(program):
    parts = program.parts
    text = PRELUDE + MAKERS + vertex(parts)
    run = "int main() {\n    const auto vertex = [](uint i) { Vertex v{}; v.gl_VertexID = i; v.main(); return v; };\n"
    if "geometry" in parts:
        text += geometry(parts["geometry"])
    if "control" in parts:
        control, evaluation = parts["control"], parts["evaluation"]
        before, after = "\n".join(control["lines"]).split("barrier();")
        text += (f"struct Patch {{ {inputs('v')} std::array<uvec3, 32> c_words; std::array<vec3, 32> c_reals; std::array<uint, 32> c_later; uvec3 p_words; vec3 p_reals;"
                 " uint p_level; int gl_PrimitiveID; };\nstruct Control : Numbers { int gl_InvocationID; void before(Patch& p);\nvoid after(Patch& p); };\n")
        names = "auto& [v_words, v_reals, v_more, v_slot, c_words, c_reals, c_later, p_words, p_reals, p_level, gl_PrimitiveID] = p;\n"
        for name, lines in (("before", before), ("after", after)):
            text += f"void Control::{name}(Patch& p) {{ {names}" + in_cpp(lines.splitlines()) + "\n}\n"
        text += ("struct Evaluation : Numbers { uvec2 at; uint e_slot; uvec3 e_words; vec3 e_reals; void main(Patch& p) { " + names +
                 in_cpp(line for line in evaluation["lines"] if not line.strip().startswith("uvec2 at")) + "\n} };\n")
        run += patches(parts)
    elif "geometry" in parts:
        part = parts["geometry"]
        run += (f"    for (int primitive = 0; primitive < {part['primitives']}; ++primitive)\n        for (int invocation = 0; invocation < {part['invocations']}; ++invocation) {{\n"
                f"            Geometry g{{}}; g.gl_PrimitiveIDIn = primitive; g.gl_InvocationID = invocation;\n            for (int k = 0; k < {part['count']}; ++k) {{\n"
                f"                const Vertex v = vertex(static_cast<uint>(primitive * {part['count']} + k));\n"
                "                g.v_words.push_back(v.v_words); g.v_reals.push_back(v.v_reals); g.v_more.push_back(v.v_more);\n            }\n            g.main();\n        }\n")
    else:
        run += "    for (uint i = 0; i < 1024; ++i) { const Vertex v = vertex(i); show(i, v.v_words, v.v_reals); }\n"
    return text + run + ENDING


def patches(parts):
    into, out, domain = parts["control"]["into"], parts["control"]["out"], parts["control"]["domain"]
    points = {"quads": "for (uint y = 0; y <= p.p_level; ++y) for (uint x = 0; x <= p.p_level; ++x) point(x, y);",
              "isolines": "for (uint y = 0; y < p.p_level; ++y) for (uint x = 0; x <= p.p_level; ++x) point(x, y);",
              "triangles": "for (const uvec2 c : {uvec2{6, 0}, {0, 6}, {0, 0}}) point(c.x, c.y);\n"
                           "        if (p.p_level == 2) for (const uvec2 c : {uvec2{3, 3}, {3, 0}, {0, 3}, {2, 2}}) point(c.x, c.y);"}[domain]
    last = ("Geometry g{}; g.gl_PrimitiveIDIn = i; g.gl_InvocationID = 0; g.e_words = {e.e_words}; g.e_reals = {e.e_reals}; g.e_slot = {e.e_slot}; g.main();"
            if "geometry" in parts else "show(e.e_slot, e.e_words, e.e_reals);")
    return f"""    for (int i = 0; i < 64; ++i) {{
        Patch p{{}};
        p.gl_PrimitiveID = i;
        for (int k = 0; k < {into}; ++k) {{
            const Vertex v = vertex(static_cast<uint>(i * {into} + k));
            p.v_words.push_back(v.v_words); p.v_reals.push_back(v.v_reals); p.v_more.push_back(v.v_more);
        }}
        std::array<Control, {out}> controls{{}};
        for (int k = 0; k < {out}; ++k) {{ controls[k].gl_InvocationID = k; controls[k].before(p); }}
        for (Control& c : controls) c.after(p);
        const auto point = [&](uint x, uint y) {{ Evaluation e{{}}; e.at = {{x, y}}; e.main(p); {last} }};
        {points}
    }}
"""


def pictures(program, folder):
    """Bytes of both targets."""
    source, binary = pathlib.Path(folder) / "oracle.cpp", pathlib.Path(folder) / "oracle"
    source.write_text(program_of(program))
    subprocess.run(["c++", "-std=c++20", "-O0", "-w", "-o", str(binary), str(source)], check=True)
    # What the programs clear the targets with.
    clear = bytes((64, 128, 191, 255))
    picture = bytearray(clear * 4096 + (bytes(4) if program.spirv else clear) * 4096)
    for slot, line in enumerate(subprocess.run([str(binary)], check=True, capture_output=True, text=True).stdout.splitlines()):
        drawn, folded, *halves = map(int, line.split())
        for pixel in range(4 * drawn):
            at = 4 * ((slot // 32 * 2 + pixel % 4 // 2) * 64 + slot % 32 * 2 + pixel % 2)
            picture[at:at + 4] = folded.to_bytes(4, "little")
            picture[16384 + at:16384 + at + 4] = bytes((*halves, 255))
    return bytes(picture)
