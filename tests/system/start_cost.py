# SPDX-License-Identifier: Apache-2.0
"""start_cost.py GEN9SIM GL_SCENES VULKAN_SCENES: a program of OpenGL and one of Vulkan start on the model, draw a triangle and end. The host's
instructions of all processes, the program's and its driver's among them, stay under a limit: as many as Mesa's drivers for the processor take for the
same (288 and 308 million), which is well below a second of any host. By valgrind; each run of the test takes one mode of each program."""
import pathlib
import re
import sys
import tempfile

from checks import expect, finish, has_its_turn, run

LIMIT = 288  # millions

gen9sim, of_gl, of_vulkan = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    for number, (program, mode) in enumerate([(of_gl, "functional"), (of_gl, "timed"), (of_vulkan, "timed"), (of_vulkan, "functional")]):
        if not has_its_turn(number, 2):
            continue
        done = run("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--trace-children=yes", gen9sim, "run", "--timing", mode,
                   "--", program, folder, "triangle")
        parts = [int(count) / 1e6 for count in re.findall(r"Collected : (\d+)", done.stderr)]
        name = pathlib.Path(program).name
        print(f"{name}, {mode}: {' + '.join(f'{part:.0f}' for part in parts)} = {sum(parts):.0f} million instructions, limit {LIMIT}")
        expect(done.returncode == 0 and "Intel" in done.stdout + done.stderr, f"{name}: status {done.returncode}: {done.stdout}{done.stderr}")
        expect(len(parts) == 3, f"{name}: not gen9sim, the machine and the program, but {len(parts)} processes")
        expect(sum(parts) <= LIMIT, f"{name}, {mode}: {sum(parts):.0f} million instructions of the host, more than {LIMIT}")
finish()
