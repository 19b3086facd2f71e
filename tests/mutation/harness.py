#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/mutate on a project of four functions: it finds exactly what their tests leave open, notices an
explanation that no longer fits and tests that fail, and leaves nothing behind.

    harness.py MUTATE
"""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
# What the tests cannot see: line's text -> its forms. Everything else that compiles is killed.
SURVIVORS = {
    ("constexpr Row kTable[]{Row{40, true}, Row{50, false}};", after) for after in (
        "constexpr Row kTable[]{Row{40, true}, Row{51, false}};",
        "constexpr Row kTable[]{Row{40, true}, Row{49, false}};",
        "constexpr Row kTable[]{Row{40, true}, Row{50, true}};")
} | {
    ("int calls = 0;", "int calls = 1;"),
    ("++calls;", ";"),
    ("++calls;", "--calls;"),
    ("return left + right;", "return left - right;"),
    ("return found() ? kTable[index].value : 0;", "return found() ? kTable[index].value : 1;"),
    ("return calls;", "return {};"),
}
KILLED = {
    ("if (value > limit) return limit;", "if (value > limit) ;"),
    ("if (value > limit) return limit;", "if (!(value > limit)) return limit;"),
    ("return value;", "return {};"),
    ("constexpr Row kTable[]{Row{40, true}, Row{50, false}};",
     "constexpr Row kTable[]{Row{41, true}, Row{50, false}};"),
    # A member's first value is chosen when the test runs; what the compiler computes is built alone.
    ("int from = kStep, by{7};", "int from = kStep, by{8};"),
    ("return 2 * value;", "return 3 * value;"),
    # It reads a zero behind the end, which changes nothing.
    ("for (unsigned i = 0; i < values.size(); ++i)", "for (unsigned i = 0; i <= values.size(); ++i)"),
}
NOT_COMPILED = {("const auto found = [&] { return kTable[index].known; };", "const auto found = [&] { return {}; };")}


def check(condition, text):
    if not condition:
        sys.exit("failed: " + text)


def content(path):
    try:
        return path.read_bytes()
    except OSError:
        return b""


def main():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder) / "tiny"
        shutil.copytree(HERE / "fixture", root)
        before = {p: p.read_bytes() for p in root.rglob("*") if p.is_file()}
        found = pathlib.Path(folder) / "found.json"
        command = [sys.executable, sys.argv[1], "--root", root]

        def mutate(*arguments):
            return subprocess.run([*command, *arguments], capture_output=True, text=True)

        def untouched():
            return before == {p: p.read_bytes() for p in root.rglob("*") if p.is_file() and "build" not in p.parts}

        done = mutate("tiny", "--sample", "0", "--keep", "--json", found)
        check(done.returncode == 1, f"survivors are status 1, not {done.returncode}: {done.stdout}{done.stderr}")
        report = json.loads(found.read_text())["tiny"]
        results = {}
        for mutant in report["mutants"]:
            results.setdefault(mutant["result"], set()).add((mutant["before"], mutant["after"]))
        missed = results.get("survived", set()) | results.get("unreached", set())
        check(missed == SURVIVORS, f"survivors differ by {missed ^ SURVIVORS}")
        check(results["unreached"] == {("return calls;", "return {};")}, f"unreached: {results['unreached']}")
        check(len(results["explained"]) == 1, "one survivor is explained")
        check(results["killed"] >= KILLED, f"not killed: {KILLED - results['killed']}")
        check(results["not compiled"] >= NOT_COMPILED, f"compiled: {NOT_COMPILED - results['not compiled']}")
        check(report["score"] == round(100 * report["killed"] / (report["killed"] + len(SURVIVORS))), "the score")
        check(untouched(), "the tree was changed")

        # A better test and another line: only what the earlier run left, and the new line's, is tried again.
        test, source = root / "tests/unit/tiny/tiny_test.cpp", root / "models/tiny/tiny.cpp"
        test.write_text(test.read_text().replace("sum(3, 0), 3", "sum(3, 2), 5"))
        source.write_text(source.read_text().replace("return counter.from + counter.by", "return counter.by + 6"))
        done = mutate("tiny", "--keep", "--again", found, "--json", found)
        again = {}
        for mutant in json.loads(found.read_text())["tiny"]["mutants"]:
            again.setdefault(mutant["result"], set()).add((mutant["before"], mutant["after"]))
        sums = {("return left + right;", "return left - right;")}
        check(again["survived"] | again["unreached"] == SURVIVORS - sums, f"again: {again}")
        check(again["killed"] >= KILLED | sums | {("return counter.by + 6;", "return counter.by + 7;")},
              f"not killed again: {again['killed']}")
        check("2 mutants of the earlier run are gone" in done.stdout, done.stdout)
        for path in (test, source):
            path.write_bytes(before[path])

        # Of equal lines it is the one in the report's place.
        same = source.read_text() + "int again(int value) {\n    return value;\n}\n"
        source.write_text(same)
        line = same[:same.rindex("return value;")].count("\n") + 1
        found.write_text(json.dumps({"tiny": {"seed": 1, "of": 0, "mutants": [
            {"file": "models/tiny/tiny.cpp", "line": line, "before": "return value;", "after": "return {};",
             "result": "survived"}]}}))
        listed = mutate("tiny", "--again", found, "--list").stdout
        check(f"tiny.cpp:{line}:" in listed, f"another line than {line}: {listed}")
        source.write_bytes(before[source])

        # The same sample for the same seed, spread over the lines.
        listed = [mutate("tiny", "--list", "--sample", "8", "--seed", seed).stdout for seed in ("5", "5", "6")]
        check(listed[0] == listed[1] and listed[0] != listed[2], "a seed chooses the sample")

        # A survivor that nobody has, an explanation for one that is killed.
        explained = root / "tests/mutation/explained.toml"
        kept = explained.read_text()
        for line, becomes in (("return value;", "return {};"), ("return gone;", ";")):
            explained.write_text(kept + f'[[survivor]]\nfile = "models/tiny/tiny.cpp"\nline = "{line}"\n'
                                        f'becomes = "{becomes}"\nreason = "wrong"\n')
            done = mutate("models/tiny/tiny.cpp", "--sample", "0", "--keep")
            check(done.returncode == 1 and f"no longer fits\n  - {line}" in done.stdout, f"stale: {done.stdout}")
        explained.write_text(kept)

        # Tests that fail anyway say nothing about mutants.
        source = root / "models/tiny/tiny.cpp"
        source.write_text(source.read_text().replace("Row{40", "Row{39"))
        done = mutate("tiny", "--keep")
        check(done.returncode == 2 and "fails without a mutation" in done.stderr, f"broken: {done.stdout}{done.stderr}")
        source.write_bytes(before[source])
        check(mutate("nothing").returncode == 2, "an unknown block is status 2")

        # A package of Python, by the script that is named.
        done = mutate("sums", "--tests", "tests/sums_test.py", "--sample", "0", "--json", found)
        check(done.returncode == 1, f"Python: status {done.returncode}: {done.stdout}{done.stderr}")
        python = {(m["after"], m["result"]) for m in json.loads(found.read_text())["sums"]["mutants"]}
        check(python == {("return left if left >= right else right", "survived"), ("return left if (not (left > right)) else right", "killed"),
                         ("return None", "killed")}, f"Python: {python}")
        check(mutate("sums").returncode == 2, "Python without its tests is status 2")

        # Other folders' tests, and one program of a folder.
        (root / "tests/unit/tiny").rename(root / "tests/unit/others")
        cmake = root / "CMakeLists.txt"
        cmake.write_text(cmake.read_text().replace("tests/unit/tiny", "tests/unit/others"))
        done = mutate("tiny")
        check(done.returncode == 2 and "has no tests" in done.stderr, f"no tests: {done.stderr}")
        done = mutate("tiny", "--tests", "others,none/tiny_test")
        check(done.returncode == 2 and "none/tiny_test has no tests" in done.stderr, f"no such folder: {done.stderr}")
        done = mutate("tiny", "--tests", "others/none,others", "--keep")
        check(done.returncode == 2, f"no such program: {done.stdout}{done.stderr}")
        table = root / "tests/mutation/tests.toml"
        table.write_text('tiny = "others/tiny_test,others"\n')
        done = mutate("tiny", "--sample", "4", "--keep")
        check(" of 4 killed" in done.stdout, f"other tests: {done.stdout}{done.stderr}")
        listed = root / "tests/unit/others/CMakeLists.txt"
        kept = listed.read_text()
        listed.write_text(kept + """
add_executable(later_test EXCLUDE_FROM_ALL tiny_test.cpp)
target_link_libraries(later_test tiny GTest::gtest GTest::gtest_main)
add_test(NAME later_test COMMAND later_test)
""")
        done = mutate("tiny", "--tests", "others/tiny_test", "--sample", "4", "--keep")
        check(" of 4 killed" in done.stdout, f"one program of a folder whose others are not built: {done.stdout}{done.stderr}")
        listed.write_text(kept)
        done = mutate("tiny", "--tests", "none")
        check(done.returncode == 2 and "none has no tests" in done.stderr, f"--tests goes before the table: {done.stderr}")
        table.unlink()
        (root / "tests/unit/others").rename(root / "tests/unit/tiny")
        cmake.write_bytes(before[cmake])

        # Stopped in the middle of a build that goes on for a minute: no copy, no process, no change.
        shutil.rmtree(root / "build")
        slow, begun = pathlib.Path(folder) / "bin" / "ninja", pathlib.Path(folder) / "begun"
        slow.parent.mkdir()
        slow.write_text(f'#!/bin/sh\ncase "$*" in *tests/unit*) touch {begun}; sleep 60 ;; esac\n'
                        f'exec {shutil.which("ninja")} "$@"\n')
        slow.chmod(0o755)
        running = subprocess.Popen([*command, "tiny"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   env={**os.environ, "PATH": f"{slow.parent}:{os.environ['PATH']}"})
        while not begun.exists() and running.poll() is None:
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        check(running.wait(60) == 130, "stopped is status 130")
        check(not (root / "build").exists() and untouched(), "a stopped run leaves something behind")
        for _ in range(200):  # what was killed may need a moment on a busy machine
            left = [p for p in pathlib.Path("/proc").glob("[0-9]*/cmdline") if str(root).encode() in content(p)]
            if not left:
                break
            time.sleep(0.1)
        check(not left, f"a stopped run leaves processes behind: {left}")
    print("as expected")


if __name__ == "__main__":
    main()
