# SPDX-License-Identifier: Apache-2.0
"""browser.py GEN9SIM CHROMIUM: a page of WebGL 2 in a browser nobody changed is drawn on the model: what the page reads back is
what its shaders say, worked out here for each pixel."""
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from checks import expect, finish, run  # noqa: E402

gen9sim, chromium = sys.argv[1:]
SIDE, TEXELS = 64, ((200, 0, 40), (0, 90, 0), (10, 20, 250), (60, 60, 60))
PAGE = """<canvas id=c width=%(side)d height=%(side)d></canvas><pre id=out></pre><script>
const g = document.getElementById("c").getContext("webgl2", {antialias: false});
const info = g.getExtension("WEBGL_debug_renderer_info");
function program(vertex, fragment) {
  const p = g.createProgram();
  for (const [kind, text] of [[g.VERTEX_SHADER, vertex], [g.FRAGMENT_SHADER, fragment]]) {
    const s = g.createShader(kind);
    g.shaderSource(s, "#version 300 es\\nprecision highp float;\\n" + text);
    g.compileShader(s);
    g.attachShader(p, s);
  }
  g.linkProgram(p);
  g.useProgram(p);
}
g.clearColor(10 / 255, 20 / 255, 30 / 255, 1);
g.clear(g.COLOR_BUFFER_BIT);
g.enable(g.SCISSOR_TEST);
g.scissor(4, 8, 50, 40);
program("void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0, 1); }",
        "out vec4 c; void main() { ivec2 p = ivec2(gl_FragCoord.xy); c = vec4(p.x, p.y, (3 * p.x + 5 * p.y) & 127, 255) / 255.0; }");
g.drawArrays(g.TRIANGLES, 0, 3);
g.disable(g.SCISSOR_TEST);
g.bindTexture(g.TEXTURE_2D, g.createTexture());
g.texImage2D(g.TEXTURE_2D, 0, g.RGB8, 2, 2, 0, g.RGB, g.UNSIGNED_BYTE, new Uint8Array([%(row0)s, 0, 0, %(row1)s, 0, 0]));
g.texParameteri(g.TEXTURE_2D, g.TEXTURE_MIN_FILTER, g.NEAREST);
g.texParameteri(g.TEXTURE_2D, g.TEXTURE_MAG_FILTER, g.NEAREST);
g.enable(g.BLEND);
g.blendFunc(g.ONE, g.ONE);
program("out vec2 t; void main() { t = vec2(gl_VertexID & 1, gl_VertexID >> 1);" +
        " gl_Position = vec4((t * 8.0 + 16.0 * float(gl_InstanceID)) / 32.0 - 1.0, 0, 1); }",
        "in vec2 t; uniform sampler2D s; out vec4 c; void main() { c = texture(s, t); }");
g.drawArraysInstanced(g.TRIANGLE_STRIP, 0, 4, 4);
const pixels = new Uint8Array(4 * %(side)d * %(side)d);
g.readPixels(0, 0, %(side)d, %(side)d, g.RGBA, g.UNSIGNED_BYTE, pixels);
document.getElementById("out").textContent = "drawn by " + g.getParameter(info.UNMASKED_RENDERER_WEBGL) + ": " + pixels.join(" ");
</script>"""


def wanted(x, y):
    color = (x, y, 3 * x + 5 * y & 127) if 4 <= x < 54 and 8 <= y < 48 else (10, 20, 30)
    if x // 16 == y // 16 and x % 16 < 8 and y % 16 < 8:
        color = (min(255, a + b) for a, b in zip(color, TEXELS[y % 16 // 4 * 2 + x % 16 // 4]))
    return [*color, 255]


with tempfile.TemporaryDirectory() as folder:
    page = pathlib.Path(folder) / "page.html"
    rows = [", ".join(str(value) for texel in TEXELS[row:row + 2] for value in texel) for row in (0, 2)]
    page.write_text(PAGE % {"side": SIDE, "row0": rows[0], "row1": rows[1]})
    done = run(gen9sim, "run", "--timing", "functional", "--", chromium, "--headless=new", "--no-sandbox", "--disable-gpu-sandbox",
               f"--user-data-dir={folder}/browser", "--use-gl=angle", "--use-angle=gl-egl", "--ignore-gpu-blocklist", "--dump-dom", page)
found = re.search(r"drawn by (.*?): ([0-9 ]+)<", done.stdout)
expect(done.returncode == 0 and found, f"status {done.returncode}: {done.stdout[-500:]}{done.stderr[-2000:]}")
if found:
    expect("Mesa Intel" in found[1], f"drawn by {found[1]}")
    expect("3DPRIMITIVE" in done.stderr, f"the model drew nothing: {done.stderr}")
    values = [int(word) for word in found[2].split()]
    pixels = [values[4 * i:4 * i + 4] for i in range(SIDE * SIDE)]
    wrong = [(x, y, pixels[y * SIDE + x], wanted(x, y)) for y in range(SIDE) for x in range(SIDE) if pixels[y * SIDE + x] != wanted(x, y)]
    expect(not wrong, f"{len(wrong)} pixels, the first (x, y, drawn, wanted): {wrong[:1]}")
finish()
