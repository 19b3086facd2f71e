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
