# SPDX-License-Identifier: Apache-2.0
"""check_launches.py GEN9SIM GALLERY: --check-launches names what differs and why a launch is not compared, and finds nothing in right programs; --opencl-options reaches the compiler."""
import pathlib
import re
import sys

from checks import expect, finish, run

gen9sim, gallery = sys.argv[1], pathlib.Path(sys.argv[2])
START = "gen9sim: --check-launches: "


def check(*program, options=("--check-launches", "pocl"), status=0, passes=True):
    done = run(gen9sim, "run", "--timing", "functional", *options, "--", gallery / program[0], *program[1:])
    what = " ".join(map(str, (*options, *program)))
    expect(done.returncode == status, f"{what}: status {done.returncode}: {done.stdout}{done.stderr}")
    expect(not passes or "PASS" in done.stdout, f"{what}: {done.stdout}{done.stderr}")
    return [line.removeprefix(START) for line in done.stderr.splitlines() if line.startswith(START)], done.stderr


def expect_lines(what, found, *patterns):
    expect(len(found) == len(patterns), f"{what}: {len(found)} lines, not {len(patterns)}:\n" + "\n".join(found))
    for line, pattern in zip(found, patterns):
        expect(re.fullmatch(pattern, line), f"{what}: '{line}' is not '{pattern}'")


# What can be repeated is right, and what cannot is named.
lines, _ = check("odd_launches")
expect_lines("odd_launches", lines,
             r"15 launches, 11 compared with PoCL: 10 agree, 1 differs by a rounding \(floats agree within 4096 ulps\)",
             r"fixed_point, enqueue 10: argument 1 \(sum\), element \d+ \(long\): -?\d+ on the model, -?\d+ by PoCL; \d+ of 256 elements differ; another rounding of floats before they became integers explains it",
             r"1 launch of add not compared: it waits for an event that the program sets",
             r"1 launch of from_image not compared: it takes an argument of type image2d_t",
             r"1 launch of add not compared: argument 0 \(from\) is shared virtual memory",
             r"1 launch of add not compared: its program is made from a binary, without a source")
# Kernels that are others by PoCL: one that takes it down, and one with other values.
lines, stderr = check("odd_launches", "planted", status=3, passes=False)
expect_lines("planted", lines, r"4 launches, 3 compared with PoCL: 3 differ \(.*\)",
             r"planted, enqueue 1: argument 1 \(counts\), element 5\.s2 \(int4\): 1005 on the model, 5 by PoCL; 251 of 256 elements differ; and in 1 later launch",
             r"typed, enqueue 3: argument 0 \(places\), element 9\.s2 \(Place, float4\): 1000\.5 on the model, 0\.5 by PoCL; 1 of 256 elements differs",
             r"1 launch of stops not compared: PoCL ended by SIGILL",
             r"compiler or model\? See docs/checking\.md; .*")
# Intel's compiler loses conversions, unless it is told not to optimise.
lines, stderr = check("odd_launches", "lost", status=1, passes=False)
expect_lines("lost", lines, r"1 launch, 1 compared with PoCL: 1 differs \(.*\)",
             r"spread, enqueue 0: argument 1 \(sums\), element \d+ \(ulong\): 0 on the model, \d+ by PoCL; \d+ of 8000 elements differ", r"compiler or model\?.*")
expect("the run failed, as reported above, and the program's exit status is 1" in stderr, stderr)
lines, stderr = check("odd_launches", "lost", options=("--opencl-options=-cl-opt-disable", "--check-launches", "pocl"))
expect_lines("lost, without optimisation", lines, r"1 launch, 1 compared with PoCL: 1 agrees \(.*\)")
expect("gen9sim: --opencl-options: '-cl-opt-disable' added to 1 build\n" in stderr, stderr)
# Options that the compiler does not take, and builds of binaries.
_, stderr = check("odd_launches", "planted", options=("--opencl-options=-no-such-option",), status=1, passes=False)
expect("'-no-such-option' added to 0 builds; 1 build with them failed" in stderr, stderr)
_, stderr = check("odd_launches", options=("--opencl-options=-DUNUSED",))
expect("'-DUNUSED' added to 3 builds; 1 build of binaries, which are not compiled" in stderr, stderr)
# Right programs: all launches are compared, of threads and contexts as well, and with the same values wanted.
for program, launches, held, options in (("bitonic_sort", 55, 0, ("--check-ulps", "0")), ("contexts", 162, 1, ()), ("launches", 20, 0, ("--door", "tbx"))):
    lines, _ = check(program, options=("--check-launches", "pocl", *options), passes=False)
    rest = [r"1 launch of count not compared: it waits for an event that the program sets"] * held
    expect_lines(program, lines, rf"{launches} launches, {launches - held} compared with PoCL: {launches - held} agree \(.*\)", *rest)
# Wrong usage.
for options in (("--check-launches", "cpu"), ("--check-ulps", "1"), ("--check-launches", "pocl", "--check-ulps", "-1"), ("--check-launches", "pocl", "--sample-groups", "8")):
    done = run(gen9sim, "run", *options, "--", "true")
    expect(done.returncode == 2 and options[-2] in done.stderr, f"{options}: status {done.returncode}: {done.stderr}")
finish()
