# SPDX-License-Identifier: Apache-2.0
"""progress_line.py GEN9SIM MATMUL: on a terminal a long run says how far it is; elsewhere it says nothing."""
import json
import os
import pathlib
import pty
import re
import subprocess
import sys
import tempfile

from checks import expect, finish

gen9sim, program = sys.argv[1:]


def errors_of(terminal, *options):
    """What a run writes to standard error, and its statistics."""
    with tempfile.TemporaryDirectory() as folder:
        statistics = pathlib.Path(folder) / "run.json"
        command = [gen9sim, "run", "--stats", str(statistics), *options, "--", program, "192"]
        if not terminal:
            return subprocess.run(command, capture_output=True, text=True).stderr, json.loads(statistics.read_text())
        ours, theirs = pty.openpty()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=theirs)
        os.close(theirs)
        text = b""
        while True:
            try:
                piece = os.read(ours, 4096)
            except OSError:  # nobody has the other end any more
                break
            text += piece
        expect(process.wait() == 0, f"status {process.returncode}")
        return text.decode(), json.loads(statistics.read_text())


text, statistics = errors_of(True)
lines = re.findall(r"\r\x1b\[K(launch[^\r]*)", text)
kernel = statistics["kernels"][0]
groups = kernel["groups"][0] * kernel["groups"][1] * kernel["groups"][2]
expect(lines, f"no line: {text!r}")
done = []
for line in lines:
    found = re.fullmatch(rf"launch 0, {kernel['kernel_start']} SIMD{kernel['simd_width']}, (\d+) of {groups} groups, [\d.]+ [kM]?cycles, "
                         r"[\d.]+ k?M?cycles/s(, \d+ s left)?", line)
    expect(found, f"the line says '{line}'")
    done.append(int(found[1]) if found else 0)
expect(done == sorted(done) and (not done or done[-1] <= groups), f"groups done: {done}")
expect("\r\x1b[K" in text[text.rindex(lines[-1]):] if lines else True, "the last line stays")
for other in (errors_of(False)[0], errors_of(True, "--no-progress")[0]):
    expect("launch 0" not in other and "\x1b" not in other, f"a line where none was asked for: {other!r}")
print(f"{len(lines)} lines, the last: {lines[-1] if lines else ''}")
finish()
