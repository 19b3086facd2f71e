# SPDX-License-Identifier: Apache-2.0
"""documentation.py GEN9SIM SOURCE PROGRAM: README, docs/ and --help say nothing of the program that is not so.

- Command lines of gen9sim in code blocks of Markdown are run, with PROGRAM for the reader's own program. What runs for
  minutes (scripts) or needs a display (gtkwave) is held against its --help only, and so are command lines in the text
  and in --help, which name placeholders.
- Options, settings (--set), parameters, files and names in code spans must exist; so must pages that sources cite.
"""
import functools
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

from checks import expect, finish, run

gen9sim, program = str(pathlib.Path(sys.argv[1]).resolve()), str(pathlib.Path(sys.argv[3]).resolve())
source = pathlib.Path(sys.argv[2]).resolve()
COMMANDS = ("run", "serve", "replay", "replay-socket", "capture", "disasm", "params", "compare", "report")
# Programs of others, and files that runs leave: nothing of ours to check.
OTHERS = ("gtkwave", "ninja", "ctest", "valgrind", "ocloc", "iga64", "clpeak", "cmake", "apt-get", "snakemake", "perf", "vulkaninfo", "verilator", "cc", "mkdir")
MADE_BY_RUNS = ("build/", "out/")
# Public sources that pages refer to.
ELSEWHERE = ("shared/source/", "gen9.xml", "non_uniform_")

tracked = subprocess.run(["git", "-C", source, "ls-files", "--cached", "--others", "--exclude-standard"], capture_output=True,
                         text=True).stdout.split()
pages = [source / name for name in tracked if name == "README.md" or re.fullmatch(r"docs/.*\.md", name)]
expect(len(pages) > 10, f"{len(pages)} pages")


@functools.cache
def help_of(*command):
    done = run(*command, "--help")
    expect(done.returncode == 0, f"{command} --help: status {done.returncode}")
    return done.stdout + done.stderr


@functools.cache
def words_of_sources():
    """Every word of every file that is not a page."""
    words = set()
    for name in tracked:
        if name.endswith(".md") or name.endswith((".zst", ".bin", ".dat", ".png")) or not (source / name).is_file():
            continue
        words.update(re.findall(r"[A-Za-z_][A-Za-z0-9_]*", (source / name).read_text(errors="replace")))
        words.update(re.split(r"[/.]", name))
    return words


def built(word):
    """A file of the build, wherever that is."""
    return str(pathlib.Path(gen9sim).parent / word.removeprefix("build/"))


def check_setting(where, setting, plugins=()):
    done = run(gen9sim, "params", *(option for plugin in plugins for option in ("--plugin", built(plugin))), "--set", setting)
    expect(done.returncode == 0, f"{where}: {done.stderr.strip()}")


def check_command(where, line):
    """A command line of ours: does its subcommand have these options, and are its files there?"""
    try:
        words = shlex.split(line, comments=True)
    except ValueError:
        return expect(False, f"{where}: '{line}' is no command line")
    name, rest = words[0], words[1:]
    if name.endswith("gen9sim"):
        if not rest or rest[0].startswith("-"):
            return
        command = rest.pop(0)
        if command == "COMMAND":
            return
        expect(command in COMMANDS, f"{where}: gen9sim has no command '{command}'")
        known = help_of(gen9sim, command) if command in COMMANDS else ""
    else:
        expect((source / name).is_file(), f"{where}: there is no {name}")
        known = help_of(source / name) if (source / name).is_file() else ""
    if "--" in rest:
        rest = rest[:rest.index("--")]
    for word, following in zip(rest, [*rest[1:], ""]):
        if word.startswith("--"):
            expect(re.search(rf"(?<![\w-]){re.escape(word.split('=')[0])}(?![\w-])", known), f"{where}: '{line}': there is no {word}")
        if word == "--set" and not following.startswith("NAME="):
            check_setting(where, following, [after for before, after in zip(rest, rest[1:]) if before == "--plugin"])
        elif word.startswith(("traces/", "tests/", "scripts/")):
            expect((source / word).exists(), f"{where}: '{line}': there is no {word}")


def is_command(text):
    first = text.split()[0] if text.split() else ""
    return first in ("gen9sim", "build/gen9sim") or (first.startswith("scripts/") and " " in text)


def run_command(where, line, folder):
    words = shlex.split(line, comments=True)
    words = [gen9sim if word in ("gen9sim", "build/gen9sim") else program if word == "./your_program" else word for word in words]
    words = [built(word) if word.startswith("build/") else word for word in words]
    words = [str(source / word) if word.startswith("traces/") else word for word in words]
    done = subprocess.run(words, capture_output=True, text=True, timeout=280, cwd=folder)
    expect(done.returncode == 0, f"{where}: '{line}': status {done.returncode}: {done.stderr[-600:]}")


def check_span(where, span):
    if is_command(span):
        check_command(where, span)
        if span.startswith("gen9sim params "):
            run_command(where, span, ".")
        return
    first = span.split()[0] if span.split() else ""
    if first in OTHERS or span.startswith(ELSEWHERE + MADE_BY_RUNS):
        return
    if re.fullmatch(r"--[a-z][a-z-]+(=\S+)?( [A-Z].*| \S+=\S+)?", span):
        option = re.escape(span.split()[0].split("=")[0])
        texts = [help_of(gen9sim, c) for c in COMMANDS] + [(source / s).read_text() for s in tracked if re.fullmatch(r"scripts/[\w-]+", s)]
        expect(any(re.search(option + r"(?![\w-])", text) for text in texts), f"{where}: nothing has the option {span}")
        if span.startswith("--set ") and "NAME=" not in span:
            check_setting(where, span.split()[1])
    elif re.fullmatch(r"[a-z][\w.]*=\w+", span):
        check_setting(where, span)
    elif re.fullmatch(r"(models|platform|sc_main|tests|traces|scripts|docs|cmake)/[\w./*-]*", span):
        expect(any(source.glob(span.rstrip("/"))), f"{where}: there is no {span}")
    elif re.fullmatch(r"[\w/*-]+\.(h|cpp|py|cl|csv|md|json|inc|asm|\*)(/\.cpp)?", span):
        names = [span.removesuffix("/.cpp")]
        expect(any(source.glob(f"**/{name}") for name in names), f"{where}: there is no file {span}")
    elif re.fullmatch(r"[A-Za-z_]\w*(::[A-Za-z_]\w*|\.[a-z_]\w*)*(\(\))?", span):
        for word in re.findall(r"[A-Za-z_]\w*", span):
            expect(word in words_of_sources(), f"{where}: '{span}': no source knows '{word}'")


with tempfile.TemporaryDirectory() as folder:
    for page in pages:
        name = page.relative_to(source)
        language = None
        for number, line in enumerate(page.read_text().splitlines(), 1):
            where = f"{name}:{number}"
            if line.startswith("```"):
                language = line[3:].strip() or "text" if language is None else None
                continue
            if language == "sh" and line.strip() and not line.startswith("#"):
                if line.split()[0] not in OTHERS and not line.startswith("out/"):
                    check_command(where, line)
                    if line.startswith("build/gen9sim"):
                        run_command(where, line, folder)
                continue
            if language is not None:
                continue
            for span in re.findall(r"`([^`]+)`", line):
                check_span(where, span)
            for target in re.findall(r"\]\(([^)#]+)[^)]*\)", line):
                if "://" not in target:
                    expect((page.parent / target).exists(), f"{where}: the link {target} leads nowhere")

for command in COMMANDS:
    for line in help_of(gen9sim, command).splitlines():
        if re.match(r"  (\S+ .*&& )?gen9sim ", line):
            check_command(f"gen9sim {command} --help", line.strip().split("&& ")[-1])
for name in tracked:
    if re.fullmatch(r"(models|platform|sc_main|tests|scripts)/.*", name) and not name.endswith((".zst", ".dat", ".bin")):
        for page in re.findall(r"\bdocs/[\w/-]+\.(?:md|csv)", (source / name).read_text(errors="replace")):
            expect((source / page).is_file(), f"{name} cites {page}, which does not exist")
finish()
