#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Installs everything in a folder, builds examples/virtual_platform from there, and runs it on captures: in both
timing modes, with a loosely timed memory and with one that has a process of its own. The same targets are there for
a project that takes the sources by add_subdirectory; installed headers lie under one prefix; scripts/demo builds all
that is installed."""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys


def run(*command, status=0):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != status:
        sys.exit(f"status {done.returncode}: {' '.join(map(str, command))}\n{done.stdout}")
    return done.stdout


def installed_from(build):
    """Files of the build that `cmake --install` copies, configured ones apart."""
    scripts = [build / "cmake_install.cmake"]
    for script in scripts:  # grows
        text = script.read_text()
        scripts += [pathlib.Path(p) for p in re.findall(r'include\("(.*/cmake_install.cmake)"\)', text)]
        for file in re.findall(r'FILES "([^"]+)"', text):
            if file.startswith(f"{build}/") and not file.endswith(".cmake"):
                yield file.removeprefix(f"{build}/")


def check_demo_builds_all(build, source):
    """`cmake --install` works right after scripts/demo."""
    targets = re.search(r"^targets=\((.*)\)$", (source / "scripts/demo").read_text(), re.M)[1].split()
    commands = run("ninja", "-C", build, "-t", "commands", *targets).split()
    missing = set(installed_from(build)) - set(commands)
    if missing:
        sys.exit(f"scripts/demo builds {' '.join(targets)}, which leaves out what is installed: {sorted(missing)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cmake", default="cmake")
    parser.add_argument("--build", type=pathlib.Path, required=True, help="where gen9sim was built")
    parser.add_argument("--source", type=pathlib.Path, required=True, help="the project's folder")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="a folder that is made anew")
    options = parser.parse_args()
    options.work = options.work.resolve()
    shutil.rmtree(options.work, ignore_errors=True)
    prefix, platform = options.work / "prefix", options.work / "platform"
    check_demo_builds_all(options.build.resolve(), options.source)
    run(options.cmake, "--install", options.build, "--prefix", prefix)
    if [p.name for p in (prefix / "include").iterdir()] != ["gen9sim"]:
        sys.exit("headers are installed outside of include/gen9sim")
    for header in (prefix / "include").rglob("*.h"):
        for name in re.findall(r'#include "(.*)"', header.read_text()):
            if not (prefix / "include" / name).is_file() and not (header.parent / name).is_file():
                sys.exit(f"{header} includes {name}, which is not installed")
    inside = options.work / "inside"
    inside.mkdir()
    (inside / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(inside LANGUAGES CXX)\n"
        f"add_subdirectory({options.source} gen9sim)\nadd_executable(inside main.cpp)\n"
        "target_link_libraries(inside PRIVATE gen9sim::gpu gen9sim::aub gen9sim::reference gen9sim::headers)\n")
    (inside / "main.cpp").write_text("#include <gen9sim/gpu_device.h>\n#include <gen9sim/platform/machine/plugin.h>\n"
                                     "int sc_main(int, char**) { return 0; }\n")
    run(options.cmake, "-S", inside, "-B", inside / "build", "-G", "Ninja")
    run("ninja", "-C", inside / "build", "CMakeFiles/inside.dir/main.cpp.o")
    # The example as somebody has it who has nothing else of ours.
    example = options.work / "virtual_platform"
    shutil.copytree(options.source / "examples/virtual_platform", example)
    run(options.cmake, "-S", example, "-B", platform, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}",
        "-DCMAKE_BUILD_TYPE=Release")
    run(options.cmake, "--build", platform)
    program = platform / "virtual_platform"
    for trace in ("prefix_sum", "global_atomics"):
        capture = options.source / "traces" / trace / "stream.aub.zst"
        for timing in ("timed", "functional"):
            for memory in ("blocking", "own-process"):
                text = run(program, capture, timing, memory)
                numbers = [int(n) for n in re.search(r"(\d+) submissions, (\d+) interrupts, (\d+) checks, (\d+) "
                                                    r"mismatches", text).groups()]
                if numbers[0] == 0 or numbers[1] < numbers[0] or numbers[2] == 0 or numbers[3] != 0:
                    sys.exit(f"{trace}, {timing}, {memory}:\n{text}")
                print(f"{trace}, {timing}, {memory}: {text.splitlines()[-1]}")
    run(program, options.work / "missing.aub", status=2)


if __name__ == "__main__":
    main()
