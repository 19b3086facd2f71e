# SPDX-License-Identifier: Apache-2.0
"""Times of a frame of programs with windows: on a display that the model draws with them, and on one that the processor draws."""
import contextlib
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

GLMARK2 = ["glmark2-es2-wayland", "-s", "320x240", "-b"]
# Words of each program, and its frames: on the model, functional and timed, and by the processor. Of two numbers the first is of a run
# that counts as start-up. glxgears has none: it says every five seconds how many frames it has drawn.
PROGRAMS = {
    "vkcube": (["vkcube-wayland", "--present_mode", "1", "--c", "{}"], (2, 22), (2, 6), (2, 802)),
    "glxgears": (["glxgears", "-info"], None, None, None),
    "glmark2-texture": ([*GLMARK2, "texture:duration=1000:nframes={}"], 30, 6, 2000),
    "glmark2-terrain": ([*GLMARK2, "terrain:duration=1000:nframes={}"], 4, 2, 30),
}
SIDE = 640
# None waits for the display's refresh.
FREE = {"vblank_mode": "0"}
PROCESSOR = {"LIBGL_ALWAYS_SOFTWARE": "1", "GALLIUM_DRIVER": "llvmpipe", "VK_ICD_FILENAMES": "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json"}


@contextlib.contextmanager
def display_of_processor():
    """A display as gen9sim run --display's, composed by the processor; gives the variables of its programs."""
    pathlib.Path("/tmp/.X11-unix").mkdir(mode=0o1777, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder) / "log"
        with log.open("w") as out:
            weston = subprocess.Popen(["weston", "--backend=headless-backend.so", "--use-pixman", "--xwayland", "--idle-time=0", "--no-config",
                                       f"--width={SIDE}", f"--height={SIDE}", "--socket=wayland"],
                                      stdout=out, stderr=out, env={**os.environ, **PROCESSOR, "XDG_RUNTIME_DIR": folder})
        try:
            found, end = None, time.monotonic() + 60
            while not found:
                if weston.poll() is not None or time.monotonic() > end:
                    sys.exit(f"compare-speed: the display does not come up: {log.read_text()}")
                time.sleep(0.05)
                found = re.search(r"xserver listening on display (\S+)", log.read_text())
            yield {"XDG_RUNTIME_DIR": folder, "WAYLAND_DISPLAY": "wayland", "DISPLAY": found[1]}
        finally:
            weston.terminate()
            weston.wait()


def output_of(command, environment, enough=None):
    """(What a program prints, seconds); it is ended when it has printed what is enough."""
    began = time.monotonic()
    with tempfile.TemporaryFile("w+") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, text=True, start_new_session=True, env={**os.environ, **environment})
        while enough and process.poll() is None:
            time.sleep(0.2)
            out.seek(0)
            if enough(out.read()):
                os.killpg(process.pid, signal.SIGINT)
                break
        process.wait()
        seconds = time.monotonic() - began
        out.seek(0)
        return out.read(), seconds


def frame_seconds(name, frames, command, environment, driver):
    """Of one frame of a program that a command starts; `driver` is a word of the renderer that it names."""
    words = PROGRAMS[name][0]

    def said(count, enough=None):
        text, seconds = output_of([*command, *(word.format(count) for word in words)], environment, enough)
        if driver not in text:
            sys.exit(f"compare-speed: {name} was not drawn by {driver}:\n{text[-2000:]}")
        return text, seconds

    if name == "glxgears":
        rates = re.findall(r"= +([0-9.]+) FPS", said(0, lambda text: text.count(" FPS") >= 2)[0])
        return 1 / float(rates[1])
    if name == "vkcube":
        few, many = frames
        return (said(many)[1] - said(few)[1]) / (many - few)
    return float(re.search(r"FrameTime: ([0-9.]+) ms", said(frames)[0])[1]) / 1000


def on_model(gen9sim, name, mode):
    """Seconds of a frame."""
    frames = PROGRAMS[name][1 if mode == "functional" else 2]
    command = [gen9sim, "run", "--timing", mode, "--display", f"{SIDE}x{SIDE}", "--"]
    return frame_seconds(name, frames, command, FREE, "Intel")


def by_processor(name):
    with display_of_processor() as variables:
        return frame_seconds(name, PROGRAMS[name][3], [], {**FREE, **PROCESSOR, **variables}, "llvmpipe")
