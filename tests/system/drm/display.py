# SPDX-License-Identifier: Apache-2.0
"""display.py GEN9SIM WHAT: programs on a display. WHAT: processor (its frames are real), model (Intel's OpenGL driver composes on
the model what another program draws there), ends (whatever ends first, all ends, and nothing stays behind), usage (what is not allowed).
Status 77 without weston or Xwayland."""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from checks import expect, finish  # noqa: E402

gen9sim, what = sys.argv[1:]
WIDTH, HEIGHT, WINDOW = 640, 480, 250  # weston-simple-shm's window is a square of this width
# An X11 client's first words, for version 11 without authorisation; a server that takes it answers 1.
X_CLIENT = """
import os, socket, struct
with socket.socket(socket.AF_UNIX) as server:
    server.connect("/tmp/.X11-unix/X" + os.environ["DISPLAY"].lstrip(":"))
    server.sendall(struct.pack("<BxHHHHxx", ord("l"), 11, 0, 0, 0))
    print("X11 server says", server.recv(1)[0])
"""
TELL_PLACE = 'echo "$WAYLAND_DISPLAY"; '


def command(*options, program):
    return [gen9sim, "run", "--timing", "functional", "--display", f"{WIDTH}x{HEIGHT}", *map(str, options), "--", *program]


def run(*options, program, **more):
    return subprocess.run(command(*options, program=program), capture_output=True, text=True, timeout=120, **more)


def pixels(picture):
    """Rows of pixels, three bytes each."""
    raw = subprocess.run(["ffmpeg", "-v", "error", "-i", picture, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"],
                         capture_output=True, check=True).stdout
    expect(len(raw) == WIDTH * HEIGHT * 3, f"{picture}: {len(raw)} bytes")
    return [[raw[3 * i:3 * i + 3] for i in range(y * WIDTH, (y + 1) * WIDTH)] for y in range(HEIGHT)]


def processes_in(folder):
    """Those whose environment names the display's folder."""
    found = []
    for environment in pathlib.Path("/proc").glob("[0-9]*/environ"):
        try:
            if folder.encode() in environment.read_bytes():
                found.append(environment.parent.name)
        except OSError:
            pass
    return found


def processor(folder):
    done = run("--compositor", "processor", "--frames", folder / "pictures", "--every", "30",
               program=["sh", "-c", f"timeout 4 weston-simple-shm; python3 -c '{X_CLIENT}'"])
    expect(done.returncode == 0, f"status {done.returncode}: {done.stderr}")
    expect("X11 server says 1" in done.stdout, f"no X11 server: {done.stdout}{done.stderr}")
    pictures = sorted((folder / "pictures").iterdir())
    expect(pictures and pictures[0].name == "frame-0001.png", f"{pictures}")
    expect(f": {len(pictures)}\n" in done.stderr, done.stderr)
    picture = pixels(pictures[0])
    lit = {(x, y) for y, row in enumerate(picture) for x, pixel in enumerate(row) if any(pixel)}
    colours = {picture[y][x] for x, y in lit}
    xs, ys = [x for x, _ in lit] or [0], [y for _, y in lit] or [0]
    extent = max(xs) - min(xs) + 1, max(ys) - min(ys) + 1
    expect(extent == (WINDOW, WINDOW) and len(colours) > 10, f"a window of {extent} with {len(colours)} colours")
    # weston shows at most 60 frames a second, and the program lives for 4.
    expect(2 <= len(pictures) <= 1 + 4 * 60 / 30 + 1, f"{len(pictures)} pictures, one of 30 frames")
    done = run("--compositor", "processor", "--frames", folder / "fewer", "--every", "100000", program=["timeout", "3", "weston-simple-shm"])
    expect(len(list((folder / "fewer").iterdir())) == 1, "a picture of the first frame and of no other")
    # OpenGL on a window would have come from the processor without a word.
    done = run("--compositor", "processor", program=["timeout", "5", "weston-simple-egl"])
    expect(done.returncode not in (0, 124) and "submitted no work" in done.stderr, f"status {done.returncode}: {done.stderr}")


def model(folder):
    """A Vulkan program and the compositor, which is one of OpenGL, draw on machines of their own: a cube turns in the window."""
    done = run("--frames", folder / "pictures", "--every", "1",
               program=["sh", "-c", f"vkcube-wayland --c 15 && python3 -c '{X_CLIENT}'"])
    expect(done.returncode == 0, f"status {done.returncode}: {done.stderr}")
    expect("composed by Mesa Intel(R)" in done.stderr, done.stderr)
    expect("X11 server says 1" in done.stdout, f"no X11 server: {done.stdout}{done.stderr}")
    drawn = [picture for picture in map(pixels, sorted((folder / "pictures").iterdir()))
             if len({pixel for row in picture for pixel in row}) > 100]
    expect(drawn, f"no picture with a cube in it: {done.stderr}")
    # What chooses a driver is for the program alone.
    others = dict(os.environ, MESA_LOADER_DRIVER_OVERRIDE="swrast", GALLIUM_DRIVER="llvmpipe", LIBGL_ALWAYS_SOFTWARE="1")
    done = run(program=["sh", "-c", "echo $MESA_LOADER_DRIVER_OVERRIDE $GALLIUM_DRIVER $LIBGL_ALWAYS_SOFTWARE"], env=others)
    expect(done.returncode == 0 and done.stdout == "swrast llvmpipe 1\n" and "composed by Mesa Intel(R)" in done.stderr, done.stderr)
    # A compositor that another driver serves is refused.
    weston = folder / "weston"
    weston.write_text("#!/bin/sh\necho 'GL renderer: llvmpipe'\necho 'xserver listening on display :9'\nexec sleep 60\n")
    weston.chmod(0o755)
    done = run(program=["true"], env=dict(os.environ, PATH=f"{folder}:{os.environ['PATH']}"))
    expect(done.returncode == 2 and "does not draw by Intel's driver, but by 'llvmpipe" in done.stderr, done.stderr)


def started(who, program):
    """A run whose program has said where its display is."""
    process = subprocess.Popen(command("--compositor", who, program=["sh", "-c", TELL_PLACE + program]), stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    place = pathlib.Path(process.stdout.readline().strip()).parent
    expect(place.name.startswith("gen9sim-display"), f"the program's display is {place}")
    return process, place


def is_over(name, process, place, status, word=""):
    try:
        said = process.communicate(timeout=60)[1]
    except subprocess.TimeoutExpired:
        process.kill()
        said = "it goes on"
    expect(process.returncode == status and word in said, f"{name}: status {process.returncode}, not {status}: {said}")
    end = time.monotonic() + 30  # a server whose compositor has gone still has to see it
    while processes_in(str(place)) and time.monotonic() < end:
        time.sleep(0.1)
    expect(not processes_in(str(place)), f"{name}: processes stay: {processes_in(str(place))}")
    expect(not place.exists(), f"{name}: {place} stays")


def compositor_of(place):
    for process in processes_in(f"XDG_RUNTIME_DIR={place}"):
        if pathlib.Path(f"/proc/{process}/comm").read_text().strip() == "weston":
            return int(process)
    return None


def ended_while_it_draws(pictures):
    """Signals end the simulations and the run: what was drawn before is right, and its pictures are kept."""
    process = subprocess.Popen(command("--frames", pictures, "--every", "1", program=["vkcube-wayland"]), stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, start_new_session=True)
    end = time.monotonic() + 60
    while len(list(pictures.glob("*.png"))) < 3 and process.poll() is None and time.monotonic() < end:
        time.sleep(0.05)
    for child in pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split():
        if pathlib.Path(f"/proc/{child}/comm").read_text().strip() == "gen9sim":
            os.kill(int(child), signal.SIGKILL)
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=60)[1]
    expect("the simulation was ended by SIGKILL" in said and "frames in" in said, f"status {process.returncode}: {said}")
    expect(len(list(pictures.glob("*.png"))) >= 3, f"{len(list(pictures.iterdir()))} pictures")


def ends(folder):
    ended_while_it_draws(folder / "pictures")
    for who in ("processor", "model"):
        process, place = started(who, f"python3 -c '{X_CLIENT}'; exit 7")
        is_over(f"{who}, the program", process, place, 7)
        process, place = started(who, "exec sleep 1000")
        process.send_signal(signal.SIGINT)
        is_over(f"{who}, interrupted", process, place, 128 + signal.SIGINT)
        process, place = started(who, "exec sleep 1000")
        os.kill(compositor_of(place), signal.SIGKILL)
        is_over(f"{who}, the display", process, place, 3, "the display has ended")
        process, place = started(who, "kill -9 $$")
        is_over(f"{who}, killed program", process, place, 128 + signal.SIGKILL)


def usage(folder):
    def wrong(word, *options, **more):
        done = subprocess.run([gen9sim, "run", *options, "--", "true"], capture_output=True, text=True, timeout=60, **more)
        expect(done.returncode == 2 and word in done.stderr, f"{options}: status {done.returncode}: {done.stderr}")
    for size in ("640", "640x", "x480", "0x480", "640x480x2", "-640x480", "20000x10", "640 x480"):
        wrong("WIDTHxHEIGHT", "--display", size)
    wrong("needs --display", "--frames", str(folder))
    wrong("needs --display", "--every", "3")
    wrong("--every 0", "--display", "64x64", "--every", "0")
    wrong("model|processor", "--display", "64x64", "--compositor", "nobody")
    (folder / "file").touch()
    wrong("cannot make the folder", "--display", "64x64", "--frames", str(folder / "file"))
    wrong("Debian package weston", "--display", "64x64", env=dict(os.environ, PATH=str(folder)))
    # A compositor that does not come up: what it says is passed on.
    weston = folder / "weston"
    weston.write_text("#!/bin/sh\necho this weston is broken\nexit 1\n")
    weston.chmod(0o755)
    wrong("this weston is broken", "--display", "64x64", env=dict(os.environ, PATH=f"{folder}:{os.environ['PATH']}"))


if not shutil.which("weston") or not shutil.which("Xwayland"):
    print("skipped: weston or xwayland is not installed")
    sys.exit(77)
with tempfile.TemporaryDirectory() as temporary:
    {"processor": processor, "model": model, "ends": ends, "usage": usage}[what](pathlib.Path(temporary))
finish()
