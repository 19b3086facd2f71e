# SPDX-License-Identifier: Apache-2.0
"""both_doors.py GEN9SIM OPENCL_PROGRAM VULKAN_PROGRAM: one run serves a program of each driver at the same time, OpenCL by
the simulator socket, whose variable it has, and Vulkan by the kernel interface, which has no name for its launches."""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from checks import expect, finish, run  # noqa: E402

gen9sim, opencl, vulkan = sys.argv[1:]
for door, socket in (("tbx", "2"), ("drm", "none")):
    both = f'echo receiver ${{SetCommandStreamReceiver:-none}}; "{opencl}" & one=$!; "{vulkan}" && wait $one'
    done = run(gen9sim, "run", "--no-progress", "--timing", "functional", "--door", door, "--", "sh", "-c", both,
               environment={"MESA_SHADER_CACHE_DISABLE": "1"})
    said = done.stdout + done.stderr
    expect(done.returncode == 0, f"--door {door}: status {done.returncode}: {said}")
    expect(f"receiver {socket}\n" in said, f"--door {door}: OpenCL's driver was told otherwise: {said}")
    expect("1024 of 1024 right" in said, f"--door {door}: Vulkan's program was not right: {said}")
    expect(len(re.findall("^total: [1-9]", said, re.M)) == 2, f"--door {door}: not two machines: {said}")
finish()
