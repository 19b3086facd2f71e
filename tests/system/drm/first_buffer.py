# SPDX-License-Identifier: Apache-2.0
"""first_buffer.py GEN9SIM: a program has a connection from its first buffer on, and no simulation before it submits work."""
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from checks import expect, finish  # noqa: E402

PROGRAM = """
import fcntl, os, struct, time
def processes():
    run = os.getppid()
    return len(open(f"/proc/{run}/task/{run}/children").read().split())
def wait_for(count):
    for _ in range(500):
        if processes() == count: return
        time.sleep(0.01)
device = os.open("/dev/dri/renderD128", os.O_RDWR)
alone = processes()
GEM_CREATE = 0xC010645B
for _ in range(3):
    fcntl.ioctl(device, GEM_CREATE, bytearray(struct.pack("QII", 4096, 0, 0)))
    wait_for(alone + 1)
    print(processes() - alone)
"""

with tempfile.TemporaryDirectory() as folder:
    statistics = pathlib.Path(folder) / "run.json"
    done = subprocess.run([sys.argv[1], "run", "--door", "drm", "--stats", statistics, "--", "/usr/bin/python3", "-c", PROGRAM],
                          capture_output=True, text=True, timeout=60)
    expect(done.returncode == 0, f"status {done.returncode}: {done.stdout}{done.stderr}")
    expect(done.stdout.split() == ["1", "1", "1"], f"connections beside the program after each buffer: {done.stdout}")
    expect(not statistics.exists(), "a simulation is counted")
finish()
