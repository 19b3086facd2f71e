# SPDX-License-Identifier: Apache-2.0
"""Groups of piglit's tests of OpenGL, run by Mesa's driver for the processor and by Intel's on the model."""
import argparse
import ast
import concurrent.futures
import gzip
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
import xml.etree.ElementTree

from piglit_tests import PIGLIT, ROOT

# Programs of the group shaders read their shaders from the folder of the sources, which the package's is, too.
COMMON = {"PIGLIT_PLATFORM": "surfaceless_egl", "MESA_SHADER_CACHE_DISABLE": "1", "PIGLIT_SOURCE_DIR": str(PIGLIT)}
PROCESSOR = COMMON | {"LIBGL_ALWAYS_SOFTWARE": "1"}
RESULT = re.compile(r"^PIGLIT: (\{.*\})\s*$")
INSTRUCTIONS = re.compile(r"^total: ([0-9]+) EU instructions\b", re.MULTILINE)
# These come first, whatever their tests' names contain.
FEATURES = {
    "feedback": r"spec@(ext_transform_feedback|arb_transform_feedback\w*)@",
    "queries": r"spec@(arb_query_buffer_object|arb_pipeline_statistics_query|nv_conditional_render|arb_conditional_render_inverted|"
               r"arb_occlusion_query2?|arb_timer_query)@",
    "indirect": r"spec@(arb_draw_indirect|arb_multi_draw_indirect|arb_indirect_parameters|arb_base_instance|arb_shader_draw_parameters)@",
    "samples": r"(?!.*(glx|@egl|egl 1|wgl)).*(multisample|sample_shading|samples|msaa|interpolateat|sample_variables|shader_multisample|"
               r"shader_framebuffer_fetch|post_depth_coverage|fragment_shader_interlock|framebuffer_no_attachments)",
    "attributes": r"spec@arb_vertex_attrib_64bit@",
    "tessellation": r"spec@arb_tessellation_shader@",
    "geometry": r"(?!.*(glx|@egl|egl 1|wgl|tess|compute|fp64|int64|64bit|performance)).*(geometry|\bgs\b)",
}
# What is not of the other groups: other stages, several samples, other window systems.
OTHERS = re.compile(r"geometry|\bgs\b|tess|transform.?feedback|multisample|sample_shading|samples|msaa|compute|fp64|int64|_64bit|glx|@egl|wgl|"
                    r"conservative_ras|external_objects|dma_buf|performance|pipeline_statistics|texture_compression_astc")
# The first whose pattern fits.
GROUPS = {
    "glsl-1.10": r"spec@glsl-1\.10@", "glsl-1.20": r"spec@glsl-1\.20@", "glsl-1.30": r"spec@glsl-1\.30@",
    "glsl-1.40": r"spec@glsl-1\.40@", "glsl-1.50": r"spec@glsl-1\.50@",
    "depth": r"hiz@|fast_color_clear@|spec@arb_depth|spec@ext_packed_depth|spec@arb_clear_texture|.*depth|.*stencil",
    "fbo": r"spec@(arb|ext)_framebuffer|spec@arb_copy_image|spec@arb_draw_buffers|.*fbo|.*blit",
    "texturing": r"spec@(arb|ext|oes|nv|sgis|ati)_(texture|shader_texture|seamless|sampler)|.*tex",
    "arb": r"spec@arb_", "shaders": r"shaders@", "opengl": r"spec@!opengl [1-3]\.",
}
# What is left, less windows. The first whose pattern fits.
REST = {
    "doubles": r"(?!.*(glx|@egl|wgl)).*(fp64|int64|64bit|double)",
    "later": r"spec@glsl-([34]\.|es)",
    "compute": r"(?!.*(glx|@egl|wgl)).*compute",
    "rest": r"(?!.*(glx|@egl|wgl))",
}
ALL = FEATURES | GROUPS | REST
# Judged by the tests themselves: the driver for the processor lacks most of it.
OWN_VERDICT = {"samples"}


def options_of():
    parser = argparse.ArgumentParser(prog="piglit-gl --groups", description=__doc__)
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=f"of {', '.join(ALL)}; none: all")
    parser.add_argument("--self", action="store_true", dest="itself", help="the driver for the processor instead of the model")
    parser.add_argument("--list", type=pathlib.Path, default=ROOT / "tests" / "piglit" / "known_gl.toml",
                        help="differences that are known, with their causes (default %(default)s)")
    parser.add_argument("--only", default="", metavar="TEXT", help="tests whose names contain the text")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="each Nth test of a group")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="with --every: begin with the Nth test (default %(default)s)")
    parser.add_argument("--some", type=int, metavar="N", help="about N tests, spread over the groups; --seed chooses them")
    parser.add_argument("--seed", type=int, default=int(os.environ.get("GEN9_SAMPLE_SEED") or 0), help="with --some (default: GEN9_SAMPLE_SEED)")
    parser.add_argument("--least", type=float, metavar="PERCENT",
                        help="exit with 0 if at least so many pass, of those that end within their time")
    parser.add_argument("--doubts", action="store_true",
                        help="run on the driver for the processor only what does not pass on the model; half the time, and what passes here counts")
    parser.add_argument("--keep", type=pathlib.Path, metavar="FILE", help="adds results and times of the tests to a file; does not run again those in it")
    parser.add_argument("--timing", choices=("functional", "timed"), default="functional")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--timeout", type=float, default=60, help="processor seconds for one test (default %(default)s)")
    parser.add_argument("--batch", type=int, default=16, help="shader tests in one program (default %(default)s)")
    parser.add_argument("--reference", type=pathlib.Path, default=ROOT / "build" / "piglit_llvmpipe.json",
                        help="keeps the results of the driver for the processor (default %(default)s)")
    parser.add_argument("--gen9sim", default=str(ROOT / "build" / "gen9sim"))
    return parser


def tests():
    """Name -> words of the command, by piglit's own lists; less those whose program is not installed."""
    found, programs = {}, {file.name for file in (PIGLIT / "bin").iterdir()}
    for listed in ("quick_gl", "quick_shader"):
        tree = xml.etree.ElementTree.fromstring(gzip.decompress((PIGLIT / "tests" / f"{listed}.xml.gz").read_bytes()))
        for test in tree.iter("Test"):
            values = {option.get("name"): option.get("value") for option in test.iter("option")}
            if test.get("type") in ("gl", "shader") and "command" in values:
                words = [str(word) for word in ast.literal_eval(values["command"])]
                if words[0] in programs:
                    found[test.get("name")] = words
    return found


def group_of(name, command):
    """The group of a test; none of those that need a window system."""
    return feature_of(name) or plain_group_of(name, command) or next((group for group, pattern in REST.items() if re.match(pattern, name.lower())), None)


def feature_of(name):
    return next((group for group, pattern in FEATURES.items() if re.match(pattern, name.lower())), None)


def plain_group_of(name, command):
    """The group of a test with vertex and pixel shaders only."""
    if OTHERS.search(name.lower()):
        return None
    group = next((group for group, pattern in GROUPS.items() if re.match(pattern, name.lower())), None)
    file = PIGLIT / command[-1] if command[0] == "shader_runner" else None
    if group and file:
        text = file.read_text(errors="replace") if file.exists() else ""
        if not text or re.search(r"^\[(geometry|tessellation|compute)", text, re.MULTILINE):
            return None
    return group


def processor_seconds(session):
    """Of the living processes of a session: other work on the machine does not count."""
    ticks = 0
    for file in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = file.read_text(errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        if fields[3] == str(session):
            ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def kill_after(limit, process, ended, killed):
    """Kills a program that takes more processor time than the limit, or 20 times as much by the clock. `killed` gets its processor time."""
    begin = time.monotonic()
    while not ended.wait(min(limit, 2)):
        seconds = processor_seconds(process.pid)
        if seconds > limit or time.monotonic() - begin > 20 * limit:
            killed.append(seconds)
            os.killpg(process.pid, 9)
            return


def has_own_frame(file):
    """Does a shader test make a framebuffer? The next in its batch would probe that one's few pixels only."""
    file = PIGLIT / file
    return file.exists() and re.search(r"^fb ", file.read_text(errors="replace"), re.MULTILINE) is not None


class Runner:
    """Runs tests by a driver; shader tests by the batch, and one by one those of a batch that does not end, and those that
    do not pass in it: they may fail for what an earlier one left."""

    def __init__(self, options, model):
        self.options = options
        self.prefix = [str(pathlib.Path(options.gen9sim).resolve()), "run", "--door", "drm", "--timing", options.timing, "--"] if model else []
        self.environment = {**os.environ, **(COMMON if model else PROCESSOR)}

    def program(self, words, limit):
        """What a program prints, whether it did not end by itself, and its processor seconds with those of its children."""
        command = [*self.prefix, str(PIGLIT / "bin" / words[0]), *words[1:], "-auto"]
        if "-fbo" not in command:
            command.append("-fbo")
        ended, killed = threading.Event(), []
        with tempfile.TemporaryFile() as printed:
            process = subprocess.Popen(command, stdout=printed, stderr=subprocess.STDOUT, cwd=PIGLIT, env=self.environment, start_new_session=True)
            watch = threading.Thread(target=kill_after, args=(limit, process, ended, killed))
            watch.start()
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            ended.set()
            watch.join()
            printed.seek(0)
            seconds = killed[0] if killed else used.ru_utime + used.ru_stime
            return printed.read().decode(errors="replace"), bool(killed), seconds

    def alone(self, words):
        """(Result, failed subtests, instructions, processor seconds)."""
        text, killed, seconds = self.program(words, self.options.timeout)
        result, failed = "crash", set()
        for line in text.splitlines():
            if found := RESULT.match(line):
                said = json.loads(found[1])
                result = said.get("result", result)
                failed |= {name for name, how in said.get("subtest", {}).items() if how not in ("pass", "skip")}
        if killed:
            result = "timeout"
        ran = INSTRUCTIONS.search(text)
        return [result, sorted(failed), int(ran[1]) if ran else 0, round(seconds, 2)]

    def batch(self, named):
        """Name -> result of tests that one program runs, or each its own."""
        if len(named) > 1:
            files = [words[-1] for _, words in named]
            text, killed, seconds = self.program(["shader_runner", *files, "-report-subtests"], self.options.timeout * 2)
            told = [pair for line in text.splitlines() if (found := RESULT.match(line))
                    for pair in json.loads(found[1]).get("subtest", {}).items()]
            ran = INSTRUCTIONS.search(text)
            same = [name.lower() for name, _ in told] == [pathlib.Path(file).stem.lower() for file in files]
            if same and not killed:
                share, instructions = round(seconds / len(named), 3), int(ran[1]) if ran else 0
                # One may skip itself for the context that an earlier one has asked for.
                sure = ("pass",) if any(how == "pass" for _, how in told) else ("pass", "skip")
                return {name: [how, [], instructions, share] if how in sure else self.alone(words)
                        for (name, words), (_, how) in zip(named, told)}
        return {name: self.alone(words) for name, words in named}

    def all(self, chosen, done=lambda results: None):
        parts = []
        for framed in (False, True):
            shaders = [item for item in chosen if item[1][0] == "shader_runner" and has_own_frame(item[1][-1]) == framed]
            parts += [shaders[i:i + self.options.batch] for i in range(0, len(shaders), self.options.batch)]
        parts += [[item] for item in chosen if item[1][0] != "shader_runner"]
        results = {}
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            for part in concurrent.futures.as_completed([pool.submit(self.batch, part) for part in parts]):
                done(part.result())
                results |= part.result()
        return results


def known_differences(file):
    """Test -> cause."""
    if not file.exists():
        return {}
    return {test: entry["cause"] for entry in tomllib.loads(file.read_text()).get("difference", []) for test in entry["tests"]}


def results_kept(file):
    """What a file keeps: in each line, results by test. A program that was killed may have left half a line."""
    kept = {}
    for line in file.read_text().splitlines() if file and file.exists() else []:
        try:
            kept |= json.loads(line)
        except json.JSONDecodeError:
            pass
    return kept


def results_of(runner, chosen, file):
    """Results of tests; those that a file keeps are not run again."""
    kept = results_kept(file)

    def keep(results):
        if file:
            file.parent.mkdir(exist_ok=True)
            with file.open("a") as out:
                out.write("\n" + json.dumps(results))

    return kept | runner.all([(name, words) for name, words in chosen if name not in kept], keep)


class Group:
    """What a group's tests give: those that count, and the results of both drivers."""

    def __init__(self, options, name, found):
        self.options, self.name = options, name
        self.chosen = found[options.first::options.every]
        if name in OWN_VERDICT or options.doubts:
            self.judge_by_themselves()
        else:
            self.there = self.on_processor(self.chosen)
            self.counted = [item for item in self.chosen if self.there[item[0]][0] == "pass"]
            self.here = self.on_model(self.counted)
        if options.least is not None:
            self.counted = [item for item in self.counted if self.here[item[0]][0] != "timeout"]
        self.good = [test for test, _ in self.counted if self.here[test][0] == "pass"]
        self.ran = sum(self.here[test][2] > 0 for test in self.good)

    def seconds(self, results):
        """Processor time of the group's tests, with that of results from earlier runs."""
        return sum(results[test][3] for test, _ in self.chosen if test in results)

    def judge_by_themselves(self):
        """The driver for the processor runs only those that do not pass here. One that fails there, too, does not count.
        One that skips itself here counts if it passes there, but not in a group of OWN_VERDICT."""
        self.here = self.on_model(self.chosen)
        sure = ("pass", "skip") if self.name in OWN_VERDICT else ("pass",)
        self.there = self.on_processor([item for item in self.chosen if self.here[item[0]][0] not in sure])
        self.counted = [item for item in self.chosen if self.here[item[0]][0] == "pass" or item[0] in self.there and
                        self.there[item[0]][0] in (("pass",) if self.here[item[0]][0] == "skip" else ("pass", "skip"))]

    def on_processor(self, tests_):
        return results_of(Runner(self.options, False), tests_, self.options.reference)

    def on_model(self, tests_):
        return results_of(Runner(self.options, not self.options.itself), tests_, self.options.keep)

    def line(self):
        what = "that do not skip themselves, nor fail by llvmpipe too" if self.name in OWN_VERDICT else \
               "that pass here, by llvmpipe or by their own judgement" if self.options.doubts else "passed by llvmpipe"
        share = f"{100 * len(self.good) / len(self.counted):.1f} %" if self.counted else "none"
        drawn = "" if self.options.itself else f", {self.ran} of them with instructions on the model"
        return f"{self.name}: {len(self.chosen)} tests, {len(self.counted)} {what}, of these {len(self.good)} here ({share}){drawn}, "\
               f"{self.seconds(self.here):.0f} s of processor time"

    def faults(self, known):
        """Prints what is wrong; how much of it is not known."""
        faults = 0
        if not self.options.itself and len(self.good) > 4 and not self.ran:
            faults += 1
            print(f"  {self.name}: no test ran an instruction: another driver drew")
        for test, _ in self.counted:
            result, failed = self.here[test][:2]
            if result != "pass":
                faults += test not in known
                print(f"  {test}: {result}{f' {failed[:4]}' if failed else ''}: {known.get(test, 'not known')}", flush=True)
            elif test in known and not self.options.itself:
                faults += 1
                print(f"  {test}: listed as known but passes")
        return faults


def choose(members, options):
    """Leaves each Nth of all tests, so that about as many as were asked for are left."""
    every = max(1, sum(map(len, members.values())) // options.some)
    place = -(options.seed % every)
    for group, found in members.items():
        members[group] = [test for number, test in enumerate(found, place) if number % every == 0]
        place += len(found)
    print(f"seed {options.seed}: {sum(map(len, members.values()))} tests, each {every}th", flush=True)


def main(arguments):
    parser = options_of()
    options = parser.parse_args(arguments)
    for group in options.groups:
        if group not in ALL:
            parser.error(f"there is no group '{group}': {', '.join(ALL)}")
    if not (PIGLIT / "bin" / "shader_runner").exists():
        print("piglit-gl: skipped: there is no piglit (scripts/setup installs it)", file=sys.stderr)
        return 77
    members = {group: [] for group in options.groups or ALL}
    for name, words in tests().items():
        if options.only in name and (group := group_of(name, words)) in members:
            members[group].append((name, words))
    if options.some:
        choose(members, options)
    known = known_differences(options.list)
    faults = total_there = total_here = ran = seconds = seconds_there = 0
    for name, found in members.items():
        group = Group(options, name, found)
        print(group.line(), flush=True)
        faults += group.faults(known)
        ran += group.ran
        total_there += len(group.counted)
        total_here += len(group.good)
        seconds += group.seconds(group.here)
        seconds_there += group.seconds(group.there)
    if total_there:
        print(f"all groups: {total_here} of {total_there} that llvmpipe passes or that judge themselves ({100 * total_here / total_there:.1f} %), "
              f"{seconds:.0f} s of processor time here and {seconds_there:.0f} s by llvmpipe, with those of kept results")
    if options.least is not None:
        return 1 if not ran or 100 * total_here < options.least * total_there else 0
    return 1 if faults else 0
