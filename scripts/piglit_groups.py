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
import time
import tomllib
import xml.etree.ElementTree

from piglit_tests import PIGLIT, ROOT

COMMON = {"PIGLIT_PLATFORM": "surfaceless_egl", "MESA_SHADER_CACHE_DISABLE": "1"}
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
# Judged by the tests themselves: the driver for the processor lacks most of it.
OWN_VERDICT = {"samples"}


def options_of():
    parser = argparse.ArgumentParser(prog="piglit-gl --groups", description=__doc__)
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=f"of {', '.join(FEATURES | GROUPS)}; none: all")
    parser.add_argument("--self", action="store_true", dest="itself", help="the driver for the processor instead of the model")
    parser.add_argument("--list", type=pathlib.Path, default=ROOT / "tests" / "piglit" / "known_gl.toml",
                        help="differences that are known, with their causes (default %(default)s)")
    parser.add_argument("--only", default="", metavar="TEXT", help="tests whose names contain the text")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="each Nth test of a group")
    parser.add_argument("--timing", choices=("functional", "timed"), default="functional")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--timeout", type=float, default=60, help="seconds for one test (default %(default)s)")
    parser.add_argument("--batch", type=int, default=16, help="shader tests in one program (default %(default)s)")
    parser.add_argument("--reference", type=pathlib.Path, default=ROOT / "build" / "piglit_llvmpipe.json",
                        help="keeps the results of the driver for the processor (default %(default)s)")
    parser.add_argument("--gen9sim", default=str(ROOT / "build" / "gen9sim"))
    return parser


def tests():
    """Name -> words of the command, by piglit's own lists."""
    found = {}
    for listed in ("quick_gl", "quick_shader"):
        tree = xml.etree.ElementTree.fromstring(gzip.decompress((PIGLIT / "tests" / f"{listed}.xml.gz").read_bytes()))
        for test in tree.iter("Test"):
            values = {option.get("name"): option.get("value") for option in test.iter("option")}
            if test.get("type") in ("gl", "shader") and "command" in values:
                found[test.get("name")] = [str(word) for word in ast.literal_eval(values["command"])]
    return found


def group_of(name, command):
    feature = next((group for group, pattern in FEATURES.items() if re.match(pattern, name.lower())), None)
    if feature:
        return feature
    if OTHERS.search(name.lower()):
        return None
    group = next((group for group, pattern in GROUPS.items() if re.match(pattern, name.lower())), None)
    file = PIGLIT / command[-1] if command[0] == "shader_runner" else None
    if group and file:
        text = file.read_text(errors="replace") if file.exists() else ""
        if not text or re.search(r"^\[(geometry|tessellation|compute)", text, re.MULTILINE):
            return None
    return group


class Runner:
    """Runs tests by a driver; shader tests by the batch, and one by one those of a batch that does not end."""

    def __init__(self, options, model):
        self.options = options
        self.prefix = [options.gen9sim, "run", "--door", "drm", "--timing", options.timing, "--"] if model else []
        self.environment = {**os.environ, **(COMMON if model else PROCESSOR)}

    def program(self, words, limit):
        """What a program prints, and whether it ended by itself."""
        command = [*self.prefix, str(PIGLIT / "bin" / words[0]), *words[1:], "-auto"]
        if "-fbo" not in command:
            command.append("-fbo")
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", cwd=PIGLIT,
                                   env=self.environment, start_new_session=True)
        try:
            return process.communicate(timeout=limit)[0], process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            return process.communicate()[0], "timeout"

    def alone(self, words):
        """(Result, failed subtests, instructions)."""
        text, status = self.program(words, self.options.timeout)
        result, failed = ("timeout" if status == "timeout" else "crash"), set()
        for line in text.splitlines():
            if found := RESULT.match(line):
                said = json.loads(found[1])
                result = said.get("result", result)
                failed |= {name for name, how in said.get("subtest", {}).items() if how not in ("pass", "skip")}
        if status == "timeout":
            result = "timeout"
        ran = INSTRUCTIONS.search(text)
        return [result, sorted(failed), int(ran[1]) if ran else 0]

    def batch(self, named):
        """Name -> result of tests that one program runs, or each its own."""
        if len(named) > 1:
            files = [words[-1] for _, words in named]
            text, status = self.program(["shader_runner", *files, "-report-subtests"], self.options.timeout * 2)
            told = [pair for line in text.splitlines() if (found := RESULT.match(line))
                    for pair in json.loads(found[1]).get("subtest", {}).items()]
            ran = INSTRUCTIONS.search(text)
            same = [name.lower() for name, _ in told] == [pathlib.Path(file).stem.lower() for file in files]
            if same and status != "timeout":
                return {name: [how, [], int(ran[1]) if ran else 0] for (name, _), (_, how) in zip(named, told)}
        return {name: self.alone(words) for name, words in named}

    def all(self, chosen, done=lambda results: None):
        shaders = [item for item in chosen if item[1][0] == "shader_runner"]
        parts = [shaders[i:i + self.options.batch] for i in range(0, len(shaders), self.options.batch)]
        parts += [[item] for item in chosen if item[1][0] != "shader_runner"]
        results = {}
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            for part in concurrent.futures.as_completed([pool.submit(self.batch, part) for part in parts]):
                results |= part.result()
                done(results)
        return results


def known_differences(file):
    """Test -> cause."""
    if not file.exists():
        return {}
    return {test: entry["cause"] for entry in tomllib.loads(file.read_text()).get("difference", []) for test in entry["tests"]}


def reference_of(options, chosen):
    kept = json.loads(options.reference.read_text()) if options.reference.exists() else {}
    missing = [(name, words) for name, words in chosen if name not in kept]
    kept |= Runner(options, False).all(missing)
    if missing:
        options.reference.parent.mkdir(exist_ok=True)
        options.reference.write_text(json.dumps(kept, indent=0))
    return kept


def main(arguments):
    parser = options_of()
    options = parser.parse_args(arguments)
    for group in options.groups:
        if group not in FEATURES | GROUPS:
            parser.error(f"there is no group '{group}': {', '.join(FEATURES | GROUPS)}")
    if not (PIGLIT / "bin" / "shader_runner").exists():
        print("piglit-gl: skipped: there is no piglit (scripts/setup installs it)", file=sys.stderr)
        return 77
    members = {group: [] for group in options.groups or FEATURES | GROUPS}
    for name, words in tests().items():
        if options.only in name and (group := group_of(name, words)) in members:
            members[group].append((name, words))
    known, faults, total_there, total_here = known_differences(options.list), 0, 0, 0
    for group, found in members.items():
        begin = time.monotonic()
        chosen = found[::options.every]
        if group in OWN_VERDICT:
            there, passed = {}, chosen
        else:
            there = reference_of(options, chosen)
            passed = [item for item in chosen if there[item[0]][0] == "pass"]
        here = Runner(options, not options.itself).all(passed)
        if group in OWN_VERDICT:
            passed = [item for item in passed if here[item[0]][0] != "skip"]
        good = [name for name, _ in passed if here[name][0] == "pass"]
        ran = sum(here[name][2] > 0 for name in good)
        total_there += len(passed)
        total_here += len(good)
        share = f"{100 * len(good) / len(passed):.1f} %" if passed else "none"
        drawn = "" if options.itself else f", {ran} of them with instructions on the model"
        print(f"{group}: {len(chosen)} tests, {len(passed)} {'not skipped' if group in OWN_VERDICT else 'passed by llvmpipe'}, of these {len(good)} here ({share}){drawn}, "
              f"{time.monotonic() - begin:.0f} s", flush=True)
        if not options.itself and good and not ran:
            faults += 1
            print(f"  {group}: no test ran an instruction: another driver drew")
        for name, _ in passed:
            if here[name][0] != "pass":
                faults += name not in known
                failed = f" {here[name][1][:4]}" if here[name][1] else ""
                print(f"  {name}: {here[name][0]}{failed}: {known.get(name, 'not known')}", flush=True)
            elif name in known and not options.itself:
                faults += 1
                print(f"  {name}: listed as known but passes")
    if total_there:
        print(f"all groups: {total_here} of {total_there} that llvmpipe passes or that judge themselves ({100 * total_here / total_there:.1f} %)")
    return 1 if faults else 0
