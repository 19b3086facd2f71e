# SPDX-License-Identifier: Apache-2.0
"""same_as.py GEN9SIM SOURCES: scripts/same-as accepts a program beside itself and sees a changed parameter, and one change in each
of what it compares. For the latter, programs that only give what a run has written stand in for the old and the new one."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from checks import expect, finish

gen9sim, sources = (pathlib.Path(word).resolve() for word in sys.argv[1:])
FILES = ("statistics.json", "waveform.vcd", "timeline.pftrace", "output")


def script(path, text):
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o755)
    return path


def compared(old, new):
    done = subprocess.run([sources / "scripts/same-as", "--old", old, "--new", new, "--quick", "--only", "skl-gt2 timed traces/add_chars"],
                          capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def expect_difference(what, old, new, text):
    status, told = compared(old, new)
    expect(status == 1 and text in told and "1 runs: 1 DIFFER" in told, f"{what}: status {status}, {told}")


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    kept = folder / "kept"
    kept.mkdir()
    # The true program, which leaves what it wrote in `kept`.
    true = script(folder / "true", f'"{gen9sim}" "$@" > "{kept}/output" 2>&1 || exit\ncp -- statistics.json waveform.vcd timeline.pftrace "{kept}"\ncat "{kept}/output"\n')
    status, told = compared(gen9sim, true)
    expect(status == 0 and "1 runs: all the same" in told, f"a program and itself: status {status}, {told}")
    expect(all((kept / file).stat().st_size > 100 for file in FILES), "a file is all but empty")

    changed = script(folder / "changed", f'exec "{gen9sim}" "$@" --set eu.threads=4\n')
    expect_difference("a changed parameter", gen9sim, changed, "statistics.json: line ")

    def stand_in(label, damage=None, status=0):
        """A program that gives what was kept; `damage`: a file and what becomes of its bytes (None: it is not written)."""
        own = folder / label
        own.mkdir()
        for file in FILES:
            content = (kept / file).read_bytes()
            if damage and damage[0] == file:
                content = damage[1](content)
            if content is not None:
                (own / file).write_bytes(content)
        return script(folder / f"{label}.sh", f'cp -- "{own}"/*.* .\ncat "{own}/output"\nexit {status}\n')

    def last_digit(content):
        at = max(place.start() for place in re.finditer(rb"\d", content))
        return content[:at] + bytes([content[at] ^ 1]) + content[at + 1:]

    def first_cycles(content):
        return re.sub(rb'("cycles": )(\d+)', rb"\g<1>1\2", content, count=1)

    def host_time(content):
        return re.sub(rb"mode: [\d.]+ s of host time", b"mode: 99 s of host time", content)

    plain = stand_in("plain")
    status, told = compared(plain, stand_in("host", ("output", host_time)))
    expect(status == 0 and host_time((kept / "output").read_bytes()) != (kept / "output").read_bytes(), f"another host time: status {status}, {told}")
    for label, damage, text in (("count", ("statistics.json", first_cycles), "statistics.json: line "),
                                ("wave", ("waveform.vcd", last_digit), "waveform.vcd: line "),
                                ("track", ("timeline.pftrace", lambda content: content[:-1] + bytes([content[-1] ^ 1])), "timeline.pftrace differs"),
                                ("print", ("output", last_digit), "what is printed: "),
                                ("missing", ("waveform.vcd", lambda content: None), "waveform.vcd was written by one of them")):
        expect_difference(label, plain, stand_in(label, damage), text)
    expect_difference("exit status", plain, stand_in("status", status=3), "exit status 0 became 3")
finish()
