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
# Words of each program, and the frames of its two runs on the model, functional and timed, and by the processor: what the longer run
# takes more is that of its further frames. glxgears has none: it says every five seconds how many frames it has drawn.
PROGRAMS = {
    "vkcube": (["vkcube-wayland", "--present_mode", "1", "--c", "{}"], (2, 42), (2, 6), (2, 1002)),
    "glxgears": (["glxgears", "-info"], None, None, None),
    "glmark2-texture": ([*GLMARK2, "texture:duration=1000:nframes={}"], (2, 82), (2, 8), (10, 2010)),
    "glmark2-terrain": ([*GLMARK2, "terrain:duration=1000:nframes={}"], (1, 9), (1, 3), (2, 302)),
}
# Of a display that shows a corner of a window: it has next to nothing to draw.
SIDE = 16
# None waits for the display's refresh.
FREE = {"vblank_mode": "0"}
PROCESSOR = {"LIBGL_ALWAYS_SOFTWARE": "1", "GALLIUM_DRIVER": "llvmpipe", "VK_ICD_FILENAMES": "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json"}


def processor_seconds(*roots):
    """Of processes and all that these have started."""
    parents, ticks = {}, {}
    for file in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = file.read_text(errors="replace").rpartition(")")[2].split()
            parents[int(file.parent.name)] = int(fields[1])
            ticks[int(file.parent.name)] = sum(map(int, fields[11:15]))
    found = set(roots)
    while more := {process for process, parent in parents.items() if parent in found} - found:
        found |= more
    return sum(ticks.get(process, 0) for process in found) / os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def display_of_processor():
    """A display as gen9sim run --display's, composed by the processor. Gives its process and the variables of its programs."""
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
            yield weston.pid, {"XDG_RUNTIME_DIR": folder, "WAYLAND_DISPLAY": "wayland", "DISPLAY": found[1]}
        finally:
            weston.terminate()
            weston.wait()


class Run:
    """A program's run: what it prints; seconds by the clock and by the processor, those of the display's process among them."""

    def __init__(self, command, environment, display):
        self.display = display
        self.began = time.monotonic(), self.of_display()
        self.file = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(command, stdout=self.file, stderr=subprocess.STDOUT, start_new_session=True, env={**os.environ, **environment})

    def of_display(self):
        return processor_seconds(self.display) if self.display else 0.0

    def text(self):
        self.file.seek(0)
        return self.file.read()

    def seconds_now(self):
        return time.monotonic() - self.began[0], processor_seconds(self.process.pid) + self.of_display() - self.began[1]

    def end(self):
        """Seconds of the whole run."""
        _, status, used = os.wait4(self.process.pid, 0)
        self.process.returncode = os.waitstatus_to_exitcode(status)
        return time.monotonic() - self.began[0], used.ru_utime + used.ru_stime + self.of_display() - self.began[1]

    def wait_for(self, text, times):
        while self.text().count(text) < times:
            if os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                sys.exit(f"compare-speed: a program has ended:\n{self.text()[-2000:]}")
            time.sleep(0.1)


def seconds_of_frame(name, frames, command, environment, display, driver):
    """By the clock and by the processor, of a program that a command starts; `driver` is a word of the renderer that it names."""

    def begin(count=0):
        return Run([*command, *(word.format(count) for word in PROGRAMS[name][0])], environment, display)

    def check(run):
        if driver not in run.text():
            sys.exit(f"compare-speed: {name} was not drawn by {driver}:\n{run.text()[-2000:]}")

    if frames:
        ends = []
        for count in frames:
            run = begin(count)
            ends.append(run.end())
            check(run)
        return [(more - less) / (frames[1] - frames[0]) for less, more in zip(*ends)]
    run = begin()
    at = []
    for lines in (1, 2):
        run.wait_for(" FPS", lines)
        at.append(run.seconds_now())
    os.killpg(run.process.pid, signal.SIGINT)
    run.end()
    check(run)
    count, seconds = map(float, re.findall(r"([0-9]+) frames in ([0-9.]+) seconds", run.text())[1])
    return seconds / count, (at[1][1] - at[0][1]) / count


def on_model(gen9sim, name, mode):
    """Seconds of a frame by the clock and by the processor."""
    frames = PROGRAMS[name][1 if mode == "functional" else 2]
    return seconds_of_frame(name, frames, [gen9sim, "run", "--timing", mode, "--display", f"{SIDE}x{SIDE}", "--"], FREE, None, "Intel")


def by_processor(name):
    with display_of_processor() as (display, variables):
        return seconds_of_frame(name, PROGRAMS[name][3], [], {**FREE, **PROCESSOR, **variables}, display, "llvmpipe")
