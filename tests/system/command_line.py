# SPDX-License-Identifier: Apache-2.0
"""command_line.py GEN9SIM PROGRAM: help, exit statuses and user errors."""
import os
import sys
import tempfile

from checks import expect, finish, run

gen9sim, program = sys.argv[1:]
for command in ((), ("run",), ("serve",), ("replay",), ("capture",), ("disasm",), ("params",), ("compare",)):
    done = run(gen9sim, *command, "--help")
    expect(done.returncode == 0 and len(done.stdout) > 200, f"{command} --help: status {done.returncode}: {done.stdout}")
wrong = [
    ("fly",), ("run", "--colour", "--", "true"), ("run", "--device", "skl-gt9", "--", "true"), ("run",),
    ("run", "--timing", "quick", "--", "true"), ("run", "--pages", "1g", "--", "true"), ("run", "--placement", "scattered:x", "--", "true"), ("run", "--placement", "scattered:1:1m", "--", "true"), ("run", "--placement", "scattered:1:100k", "--pages", "64k", "--", "true"), ("run", "--placement", "scattered:1:0m", "--", "true"), ("run", "--placement", "scattered:1:1026m", "--", "true"), ("run", "--set", "eu.no_such_thing=1", "--", "true"),
    ("run", "--set", "gpu.slices=77", "--", "true"), ("run", "--config", "/nonexistent.json", "--", "true"),
    ("run", "--", "/nonexistent/program"), ("replay", "/nonexistent.aub"), ("disasm", "/nonexistent.bin"),
    ("serve", "--port", "99999"), ("run", "--set", "hdc.queue_depth=1", "--", "true"),
    ("run", "--threads", "2", "--", "true"), ("run", "--threads", "0", "--timing", "functional", "--", "true"),
    ("run", "--threads", "65", "--timing", "functional", "--", "true"), ("run", "--threads", "2", "--timing", "functional", "--trace-isa", "t", "--", "true"),
    ("run", "--vcd", "w.vcd", "--timing", "functional", "--", "true"), ("run", "--vcd-from", "5", "--", "true"),
    ("run", "--vcd", "w.vcd", "--vcd-from", "9", "--vcd-to", "9", "--", "true"),
    ("run", "--vcd", "w.vcd", "--vcd-to", "-1", "--", "true"), ("run", "--vcd", "w.vcd", "--vcd-kernel", "first", "--", "true"),
    ("run", "--vcd", "w.vcd", "--vcd-kernel", "0x", "--", "true"), ("run", "--vcd", "w.vcd", "--vcd-scope", "gpu.sampler", "--", "true"),
]
for arguments in wrong:
    done = run(gen9sim, *arguments)
    expect(done.returncode == 2, f"{arguments}: status {done.returncode}, expected 2\n{done.stderr}")
    lines = done.stderr.strip().splitlines()
    expect(len(lines) == 1, f"{arguments}: {len(lines)} lines instead of one:\n{done.stderr}")
with tempfile.TemporaryDirectory() as folder:
    done = run(gen9sim, "run", "--vcd", f"{folder}/w.vcd", "--stats", f"{folder}/w.json", "--", "true")
    expect(done.returncode == 0 and not os.listdir(folder), f"a run without work leaves {os.listdir(folder)}")
done = run(gen9sim, "run", "--", "sh", "-c", "echo out; echo err >&2; exit 7")
expect(done.returncode == 7 and done.stdout == "out\n" and "err\n" in done.stderr,
       f"status and output are not passed through: {done.returncode} {done.stdout!r} {done.stderr!r}")
done = run(gen9sim, "params")
for word in ("gpu.slices", "eu.", "l3.", "source:", "cycles"):
    expect(word in done.stdout, f"params does not say '{word}'")
for device in ("skl-gt1", "skl-gt2", "skl-gt3", "skl-gt4", "bxt-2x6", "bxt-3x6", "kbl-gt2"):
    done = run(gen9sim, "run", "--device", device, "--timing", "functional", "--", program)
    expect(done.returncode == 0 and "PASS" in done.stdout, f"--device {device}: status {done.returncode}: {done.stderr[-1500:]}")
finish()
