# SPDX-License-Identifier: Apache-2.0
"""progress_line.py GEN9SIM MATMUL: on a terminal a long run says how far it is, in one line of it; elsewhere it says nothing."""
import fcntl
import json
import os
import pathlib
import pty
import re
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

from checks import expect, finish

gen9sim, program = sys.argv[1:]


def on_terminal(command, columns, interrupt_at=None):
    """What a command writes to a terminal that is so many columns wide, and its status. It is interrupted when `interrupt_at` is written."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    text = b""
    while True:
        try:
            piece = os.read(ours, 4096)
        except OSError:  # nobody has the other end any more
            break
        text += piece
        if interrupt_at is not None and interrupt_at in text:
            process.send_signal(signal.SIGINT)
            interrupt_at = None
    return text.decode(), process.wait()


def lines_of(text):
    return re.findall(r"\r\x1b\[K(launch[^\r]*)", text)


with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "run.json"
    for side in ("192", "256", "320", "384", "448", "512", "640", "768"):  # until it takes so long that there must be lines
        command = [gen9sim, "run", "--stats", str(path), "--", program, side]
        start = time.monotonic()
        text, status = on_terminal(command, 100)
        if time.monotonic() - start > 3:
            break
    kernel = json.loads(path.read_text())["kernels"][0]
    groups = kernel["groups"][0] * kernel["groups"][1] * kernel["groups"][2]
    lines = lines_of(text)
    expect(status == 0 and lines, f"status {status}, lines {text!r}")
    done = []
    for line in lines:
        found = re.fullmatch(rf"launch 0, {kernel['name']}, (\d+) of {groups} groups, [\d.]+ [kM]?cycles, [\d.]+ k?M?cycles/s(, \d+ (s|min) left)?", line)
        expect(found, f"the line says '{line}'")
        done.append(int(found[1]) if found else 0)
    expect(done == sorted(done) and (not done or done[-1] <= groups), f"groups done: {done}")
    expect("\r\x1b[K" in text[text.rindex(lines[-1]):] if lines else True, "the last line stays")

    # A terminal keeps what it has wrapped, so the line is never longer than a terminal's.
    narrow = lines_of(on_terminal(command, 40)[0])
    expect(narrow and max(map(len, narrow)) == 39, f"in 40 columns: {narrow}")

    # What is said while the line stands begins a line of its own.
    text, status = on_terminal([gen9sim, "run", "--", program, "512"], 100, b" groups, ")
    expect(status == 130 and re.search(r"\r\x1b\[Kgen9sim: cycle \d+: interrupted", text), f"interrupted, status {status}: {text[:600]!r}")
    expect("launch 0" not in text[text.index("interrupted"):], "a line after the end")

    for others in (subprocess.run(command, capture_output=True, text=True).stderr, on_terminal([*command[:2], "--no-progress", *command[2:]], 100)[0]):
        expect("launch 0" not in others and "\x1b" not in others, f"a line where none was asked for: {others!r}")
print(f"{len(lines)} lines, the last: {lines[-1] if lines else ''}")
finish()
