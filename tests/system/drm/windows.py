# SPDX-License-Identifier: Apache-2.0
"""windows.py GEN9SIM WHAT: programs of Debian that open windows draw them on the model, and a compositor on the model shows them. WHAT: gears (glxgears,
es2gears_x11, es2gears_wayland), cubes (vkcube on X11 and on Wayland, vkcubepp), clients (weston's of OpenGL), glmark2 (some scenes of it judge their own
pictures; glmark2 SCENE...: those), views PROGRAM (vulkan_window), traces (what apitrace recorded on llvmpipe and softpipe). Status 77 without the programs."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from checks import expect, finish  # noqa: E402

gen9sim, what, *rest = sys.argv[1:]
SIDE = 640
SOFTWARE = "LIBGL_ALWAYS_SOFTWARE=1"
# They go on until they are ended: here, when there are some pictures of theirs.
ENDLESS = 'dir=$1; shift; "$@" & for i in $(seq 200); do sleep 0.5; [ $(ls "$dir" | wc -l) -ge 4 ] && break; done; kill $!; wait $!; true'


def run(*program, options=(), compositor="model"):
    return subprocess.run([gen9sim, "run", "--timing", "functional", "--display", f"{SIDE}x{SIDE}", "--compositor", compositor, *map(str, options), "--", *map(str, program)],
                          capture_output=True, text=True, timeout=280)


def pixels(picture, width=None, height=None):
    raw = subprocess.run(["ffmpeg", "-v", "error", "-i", picture, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"], capture_output=True, check=True).stdout
    expect(width is None or len(raw) == 3 * width * height, f"{picture}: {len(raw)} bytes")
    return [tuple(raw[i:i + 3]) for i in range(0, len(raw), 3)]


def drew(done, name):
    """A machine of the program's own drew: the summary of its draws."""
    expect(len(re.findall(r"^3DPRIMITIVE ", done.stderr, re.MULTILINE)) > 1, f"{name}: the model drew nothing: {done.stderr[-800:]}")


def shown(folder, name, program, options=()):
    """All pixels of the pictures that the display showed."""
    pictures = folder / name
    done = run("sh", "-c", ENDLESS, "sh", pictures, *program, options=("--frames", pictures, "--every", "3", *options))
    expect(done.returncode == 0, f"{name}: status {done.returncode}: {done.stderr[-800:]}")
    drew(done, name)
    return [pixels(picture, SIDE, SIDE) for picture in sorted(pictures.iterdir())]


def is_gears(picture):
    """Three wheels, of which the red one is the largest."""
    of = [sum(p[k] > 100 and p[k] > 2 * max(p[(k + 1) % 3], p[(k + 2) % 3]) for p in picture) for k in range(3)]
    return of[0] > of[1] > 800 and of[0] > of[2] > 800


def is_cube(picture):
    """Sides of grey shades with a picture in blue-green on them."""
    teal = sum(p[0] + 20 < p[1] and p[0] + 20 < p[2] for p in picture)
    return teal > 2000 and len(set(picture)) > 100


def gears(folder):
    for name in ("glxgears", "es2gears_x11", "es2gears_wayland"):
        options = ("--record", folder / "gears.aub") if name == "glxgears" else ()
        expect(any(map(is_gears, shown(folder, name, [name], options))), f"{name}: no picture of gears")
    # The compositor, the X server and the program have machines of their own, and share pictures.
    recordings = sorted(folder.glob("gears*.aub"))
    expect(len(recordings) == 3, f"recordings: {recordings}")
    for recording in recordings:
        done = subprocess.run([gen9sim, "replay", "--timing", "functional", recording], capture_output=True, text=True, timeout=280)
        checks = re.search(r", ([0-9]+) checks, 0 mismatches", done.stderr)
        expect(done.returncode == 0 and checks and int(checks[1]) > 0, f"{recording.name}: status {done.returncode}: {done.stderr[-800:]}")


def cubes(folder):
    for name in ("vkcube", "vkcube-wayland", "vkcubepp"):
        expect(any(map(is_cube, shown(folder, name, [name]))), f"{name}: no picture of a cube")


def clients(folder):
    """weston-simple-egl: a triangle whose corners are red, green and blue, half of it see-through."""
    pictures = shown(folder, "egl", ["weston-simple-egl"])
    colours = [{k for p in picture for k in range(3) if p[k] > 100 and p[k] > 2 * max(p[(k + 1) % 3], p[(k + 2) % 3])} for picture in pictures]
    expect({0, 1, 2} in colours, f"weston-simple-egl: colours {colours}")


def views(folder):
    """vulkan_window: a colour as plain numbers, and the same as linear ones; a red square."""
    pictures = shown(folder, "views", [rest[0], "100000"])
    wanted = {(64, 128, 191): 12000, (137, 188, 225): 12000, (255, 0, 0): 700}
    expect(any(all(sum(max(abs(a - b) for a, b in zip(p, colour)) <= 1 for p in picture) > least for colour, least in wanted.items()) for picture in pictures),
           "no picture with all three colours")


def glmark2(_):
    scenes = rest or ["build:use-vbo=false", "build:use-vbo=true", "texture:texture-filter=mipmap", "shading:shading=phong", "conditionals:fragment-steps=0:vertex-steps=5"]
    done = run("glmark2-es2-wayland", "--validate", *(word for scene in scenes for word in ("-b", scene)))
    expect(done.returncode == 0 and re.search("GL_RENDERER: +Mesa Intel", done.stdout), f"status {done.returncode}: {done.stdout[-600:]}{done.stderr[-600:]}")
    drew(done, "glmark2")
    verdicts = dict(re.findall(r"^\[(\w+)\].*Validation: (\w+)", done.stdout, re.MULTILINE))
    print(done.stdout[-4000:])
    expect(verdicts and set(verdicts.values()) <= ({"Success", "Unknown"} if rest else {"Success"}), f"{verdicts}")
    expect(set(verdicts) == {scene.split(":")[0] for scene in scenes}, f"{sorted(verdicts)}")


def traces(folder):
    """The first frame of a new window may be anything on the processor's drivers: it shows the window before its first size."""
    for driver in ("llvmpipe", "softpipe"):
        there = folder / driver
        there.mkdir()
        recorded, short = there / "all.trace", there / "short.trace"
        software = ["env", SOFTWARE, f"GALLIUM_DRIVER={driver}"]
        script = 'trace=$1; shift; "$@" apitrace trace -o "$trace" glxgears & for i in $(seq 100); do sleep 0.5; [ $(wc -c < "$trace") -gt 150000 ] && break; done; pkill -P $! ; wait; true'
        done = run("sh", "-c", script, "sh", recorded, *software, compositor="processor")
        expect(recorded.exists(), f"{driver}: no trace: {done.stderr[-600:]}")
        subprocess.run(["apitrace", "trim", "--frames=0-2", "-o", short, recorded], check=True, capture_output=True)
        run(*software, "apitrace", "dump-images", "-o", there / "processor.", short, compositor="processor")
        done = run("apitrace", "dump-images", "-o", there / "model.", short)
        drew(done, f"a trace of {driver}")
        frames = sorted(file.name.removeprefix("model.") for file in there.glob("model.*.png"))
        expect(len(frames) == 3, f"{driver}: {frames}: {done.stderr[-600:]}")
        for frame in frames[1:]:
            mine, other = pixels(there / f"model.{frame}"), pixels(there / f"processor.{frame}")
            far = sum(max(map(abs, (a - b for a, b in zip(p, q)))) > 2 for p, q in zip(mine, other))
            expect(len(mine) == len(other) and is_gears(mine) and far < 40, f"{driver}, frame {frame}: {far} pixels are others")


NEEDS = {"gears": ("glxgears", "es2gears_x11", "es2gears_wayland"), "cubes": ("vkcube", "vkcube-wayland", "vkcubepp"), "clients": ("weston-simple-egl",), "views": (),
         "glmark2": ("glmark2-es2-wayland",), "traces": ("apitrace", "glxgears")}
if not all(map(shutil.which, ("weston", "Xwayland", "ffmpeg", *NEEDS[what]))):
    print(f"skipped: of {', '.join(NEEDS[what])} and weston, Xwayland and ffmpeg something is not installed")
    sys.exit(77)
with tempfile.TemporaryDirectory() as temporary:
    {"gears": gears, "cubes": cubes, "clients": clients, "views": views, "glmark2": glmark2, "traces": traces}[what](pathlib.Path(temporary))
finish()
