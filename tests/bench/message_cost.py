# SPDX-License-Identifier: Apache-2.0
"""message_cost.py MESSAGE_COST: host instructions of a data port message by its kind, moved by compiled code and as a call of its
site, by valgrind (hosts with AVX2). A region of 33 messages is counted, and one of a single message taken off. In compiled code each kind
stays under a limit that is 5 percent above what was reached."""
import pathlib
import re
import subprocess
import sys
import tempfile

SENDS = 33
# Host instructions in compiled code that were reached, by kind.
REACHED = {
    "untyped read of 16, 1 channel, repeated": 11,
    "untyped read of 16, 4 channels, repeated": 18,
    "SLM read of 16, 1 channel, repeated": 10,
    "SLM read of 16, 4 channels, repeated": 18,
    "untyped read of 8, side by side": 19,
    "untyped write of 8, side by side": 19,
    "SLM read of 8, side by side": 18,
    "SLM write of 8, side by side": 18,
    "untyped read of 16, side by side": 24,
    "untyped write of 16, side by side": 24,
    "SLM read of 16, side by side": 23,
    "SLM write of 16, side by side": 23,
    "untyped read of 16, half of them on, side by side": 69,
    "untyped write of 16, every other on, side by side": 108,
    "untyped read of 16, 2 channels, side by side": 49,
    "untyped read of 16, 4 channels, side by side": 61,
    "untyped write of 16, 1 channels, one off, side by side": 108,
    "untyped write of 16, 1 channels, three on, side by side": 83,
    "untyped write of 16, 2 channels, side by side": 82,
    "untyped write of 16, 2 channels, one off, side by side": 115,
    "untyped write of 16, 2 channels, three on, side by side": 89,
    "untyped write of 16, 3 channels, side by side": 103,
    "untyped write of 16, 3 channels, one off, side by side": 138,
    "untyped write of 16, 3 channels, three on, side by side": 97,
    "untyped write of 16, 4 channels, side by side": 89,
    "untyped write of 16, 4 channels, one off, side by side": 126,
    "untyped write of 16, 4 channels, three on, side by side": 104,
    "A64 read of 16, side by side": 30,
    "A64 read of 16, half of them on, side by side": 81,
    "A64 write of 16, side by side": 30,
    "A64 write of 16, one off, side by side": 119,
    "bytes, read of 16, side by side": 48,
    "bytes, write of 16, side by side": 70,
    "untyped read of 8, one place": 23,
    "SLM read of 8, one place": 23,
    "untyped read of 16, one place": 29,
    "SLM read of 16, one place": 29,
    "untyped read of 16, half of them on, one place": 69,
    "untyped write of 16, every other on, one place": 108,
    "untyped read of 16, 2 channels, one place": 23,
    "untyped read of 16, 4 channels, one place": 29,
    "A64 read of 16, one place": 39,
    "A64 read of 16, half of them on, one place": 81,
    "bytes, read of 16, one place": 48,
    "untyped read of 8, anywhere": 31,
    "untyped write of 8, anywhere": 55,
    "SLM read of 8, anywhere": 33,
    "SLM write of 8, anywhere": 55,
    "untyped read of 16, anywhere": 51,
    "untyped write of 16, anywhere": 82,
    "SLM read of 16, anywhere": 53,
    "SLM write of 16, anywhere": 81,
    "untyped read of 16, half of them on, anywhere": 69,
    "untyped write of 16, every other on, anywhere": 108,
    "untyped read of 16, 2 channels, anywhere": 49,
    "untyped read of 16, 4 channels, anywhere": 61,
    "untyped write of 16, 1 channels, one off, anywhere": 108,
    "untyped write of 16, 1 channels, three on, anywhere": 83,
    "untyped write of 16, 2 channels, anywhere": 82,
    "untyped write of 16, 2 channels, one off, anywhere": 115,
    "untyped write of 16, 2 channels, three on, anywhere": 89,
    "untyped write of 16, 3 channels, anywhere": 103,
    "untyped write of 16, 3 channels, one off, anywhere": 138,
    "untyped write of 16, 3 channels, three on, anywhere": 97,
    "untyped write of 16, 4 channels, anywhere": 89,
    "untyped write of 16, 4 channels, one off, anywhere": 126,
    "untyped write of 16, 4 channels, three on, anywhere": 104,
    "A64 read of 16, anywhere": 83,
    "A64 read of 16, half of them on, anywhere": 81,
    "A64 write of 16, anywhere": 106,
    "A64 write of 16, one off, anywhere": 119,
    "bytes, read of 16, anywhere": 48,
    "bytes, write of 16, anywhere": 70,
    "block read of 1 OWords": 66,
    "block write of 1 OWords": 63,
    "block read of 2 OWords": 74,
    "block write of 2 OWords": 71,
    "block read of 4 OWords": 80,
    "block write of 4 OWords": 77,
    "block read of 8 OWords": 92,
    "block write of 8 OWords": 89,
}

with tempfile.TemporaryDirectory() as folder:
    out = pathlib.Path(folder) / "out"
    done = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", sys.argv[1]], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"status {done.returncode}: {done.stderr}")
    counts = []
    for number in range(1, len(list(pathlib.Path(folder).iterdir())) + 1):
        part = out.with_name(f"out.{number}")
        if part.exists():
            counts.append(int(re.search(r"^(?:totals|summary): (\d+)", part.read_text(), re.M)[1]))

rows = {}
names = [line for line in done.stdout.splitlines() if line.endswith((": code", ": call"))]
for line in done.stdout.splitlines():
    if line not in names:
        print(line)
if len(counts) < 2 * len(names):
    sys.exit(f"{len(counts)} counts of {len(names)} kinds")
for line, one, many in zip(names, counts[0::2], counts[1::2]):
    name, way = line.rsplit(": ", 1)
    rows.setdefault(name, {})[way] = (many - one) / (SENDS - 1)
failed = [name for name in REACHED if name not in rows]
for name, ways in rows.items():
    print(f"| {name} | {ways['code']:.0f} | {ways['call']:.0f} |")
    if ways["code"] > REACHED.get(name, 0) * 1.05:
        failed.append(name)
for name in failed:
    print(f"{name}: {rows.get(name, {}).get('code', 'not')} counted, {REACHED.get(name, 'nothing')} reached")
sys.exit(1 if failed else 0)
