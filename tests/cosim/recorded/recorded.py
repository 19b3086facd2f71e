#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Recordings of sockets: made by a replay, played into the block alone in every model, and into the RTL.

A recording plays without a difference; with a changed byte, a changed cycle or another latency the difference is
found. What is no recording, and what cannot be written, is a user error.
"""
import argparse
import pathlib
import re
import subprocess
import sys


def run(*command):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def expect(status, pattern, *command):
    """A command that must end so, and say so."""
    found, text = run(*command)
    if found != status or not re.search(pattern, text):
        sys.exit(f"status {found}, expected {status} and /{pattern}/:\n{' '.join(map(str, command))}\n{text}")
    return text


def alu_recording():
    """R2 = R0 + R1 with its carry in R3, an instruction that does not exist, and the registers; encodings and values
    by the PRM (003:1454-1523). An instruction takes a cycle, an access of a register none."""
    def gpr(number, half):
        return 0x600 + 8 * number + 4 * half
    load, store, add = 0x080 << 20, 0x180 << 20, 0x100 << 20
    steps = [(1, gpr(0, 0), 0xFFFFFFFF, 1), (1, gpr(0, 1), 0xFFFFFFFF, 1), (1, gpr(1, 0), 3, 1)]
    steps += [(1, 0, word, 1) for word in (load | 0x20 << 10 | 0, load | 0x21 << 10 | 1, add,
                                           store | 2 << 10 | 0x31, store | 3 << 10 | 0x33)]
    steps += [(1, 0, 0xFFF << 20, 0), (0, gpr(2, 0), 2, 1), (0, gpr(2, 1), 0, 1), (0, gpr(3, 1), 0xFFFFFFFF, 1)]
    lines = []
    for number, (write, address, value, ok) in enumerate(steps):
        cycle = 100 + 10 * number
        data = f"{value:08x}"
        lines.append(f"access {cycle} {number} 1 0 0 0 5 0 0 0 0 0 {write} {address:x} 4 {data if write else '0' * 8} 0 0")
        lines.append(f"answer {cycle + (address == 0)} {number} {ok} " + ("0 0" if write else f"4 {data}"))
    return "\n".join(["gen9_socket 1", "socket gpu.cs.alu_out", "target gpu.cs.alu.op_in", "protocol memory",
                      "clock_hz 1150000000", *lines, f"end {len(lines)}"]) + "\n"


def with_math(stream):
    """A capture in which MI_MATH stands in the place of L3's partition and the system routine (encodings:
    003:1454-1523): R0 = -1 + -1, R1 its carry. Its expected contents stay what they are."""
    def dwords(*values):
        return b"".join(value.to_bytes(4, "little") for value in values)
    at = stream.rfind(dwords(0x11000001, 0x7034))
    if at < 0 or at % 4 or stream[at + 12:at + 16] != dwords(0x61040001):
        sys.exit("the capture sets no partition before its STATE_SIP")
    load1, store = 0x481 << 20, 0x180 << 20
    math = dwords(0x1A << 23 | 4, load1 | 0x20 << 10, load1 | 0x21 << 10, 0x100 << 20, store | 0 << 10 | 0x31,
                  store | 1 << 10 | 0x33)
    return stream[:at] + math + stream[at + len(math):]


class Test:
    def __init__(self, options):
        self.gen9sim, self.work, self.source = options.gen9sim, options.work, options.source
        self.traces = options.source / "traces"
        self.options = options
        self.work.mkdir(parents=True, exist_ok=True)

    def record(self, socket, trace, name, *more):
        file = self.work / name
        expect(0, "0 mismatches", self.gen9sim, "replay", "--record-socket", f"{socket}={file}", *more,
               self.traces / trace / "stream.aub.zst")
        return file

    def math(self):
        """MI_MATH of a batch, recorded in the machine: its five instructions are played into the ALU alone, and the
        machine runs with the RTL of the ALU beside the model."""
        capture = self.work / "math.aub"
        packed = self.traces / "add_chars" / "stream.aub.zst"
        capture.write_bytes(with_math(subprocess.run(["zstd", "-dc", packed], capture_output=True, check=True).stdout))
        file = self.work / "math.txt"
        models = ["tlm", "rtl", "both"] if self.options.verilator else ["tlm"]
        for model in models:
            setting = ("--set", f"cs.alu.model={model}")
            expect(0, "0 mismatches", self.gen9sim, "replay", *setting, "--record-socket", f"cs.alu_out={file}", capture)
            given = re.findall(r"^access \d+ \d+ 1 .* 1 0 4 ([0-9a-f]{8}) 0 0$", file.read_text(), re.M)
            if given != ["48108000", "48108400", "10000000", "18000031", "18000433"]:
                sys.exit(f"{file}: the ALU was given {given}")
            # The context is saved at the end: R0 and R1, lower halves first.
            saved = re.findall(r"^answer \d+ \d+ 1 4 ([0-9a-f]{8})$", file.read_text(), re.M)[:4]
            if saved != ["fffffffe", "ffffffff", "ffffffff", "ffffffff"]:
                sys.exit(f"{file}: the registers are saved as {saved}")
            for other in models:
                expect(0, r"\b0 answers with other bytes, 0 in another cycle, 0 missing", self.gen9sim, "replay-socket",
                       "--set", f"alu.model={other}", file)

    def bank(self):
        """A bank of L3 alone, with what was recorded of the memory behind it, answers as in the machine."""
        for trace in ("prefix_sum", "global_atomics", "nested_loops", "private_table"):
            behind = self.work / f"{trace}-behind.txt"
            for bank in ("bank0", "bank3"):
                file = self.record(f"l3.{bank}.mem_in", trace, f"{trace}-{bank}.txt", "--record-socket",
                                   f"l3.{bank}.mem_out={behind}")
                text = expect(0, r"[1-9]\d+ requests, 0 answers with other bytes, 0 in another cycle, 0 missing[^$]*"
                              r"mem_out: 0 requests differ", self.gen9sim, "replay-socket", "--behind", behind, file)
                print(text.strip())
        expect(1, r"[1-9]\d* in another cycle", self.gen9sim, "replay-socket", "--behind", behind, "--set",
               "l3.bank_cycles=29", file)
        other = self.work / "global_atomics-behind.txt"
        expect(1, r"which is not in the recording[^$]*mem_out: [1-9]\d* requests differ", self.gen9sim,
               "replay-socket", "--behind", other, file)
        expect(2, "needs the memory behind it", self.gen9sim, "replay-socket", file)
        expect(1, r"mem_out: [1-9]\d* requests differ", self.gen9sim, "replay-socket", "--behind", behind, "--set",
               "l3.bank.model=none", file)

    def changed(self, file, name, pattern, replace):
        """A copy in which the last line that matches is another."""
        lines = file.read_text().splitlines()
        for index in reversed(range(len(lines))):
            if re.match(pattern, lines[index]):
                lines[index] = replace(lines[index])
                break
        else:
            sys.exit(f"{file}: no line matches {pattern}")
        copy = self.work / name
        copy.write_text("\n".join(lines) + "\n")
        return copy

    def play(self):
        """Each block alone answers as in the machine."""
        for socket, trace in (("subslice0.slm.mem_in", "local_atomics"), ("subslice1.hdc.slm_out", "prefix_sum"),
                              ("cs.alu.op_in", "prefix_sum"), ("gpu.dram.mem_in", "global_atomics"), ("gpu.llc.mem_in", "global_atomics")):
            file = self.record(socket, trace, f"{trace}-{socket}.txt")
            text = expect(0, "0 answers with other bytes, 0 in another cycle, 0 missing", self.gen9sim,
                          "replay-socket", file)
            if int(re.search(r"(\d+) requests", text)[1]) == 0:
                sys.exit(f"{file}: nothing was recorded")
            print(text.strip())
        file = self.work / "alu.txt"
        file.write_text(alu_recording())
        expect(0, "12 requests, 0 answers with other bytes, 0 in another cycle, 0 missing", self.gen9sim,
               "replay-socket", file)
        file.write_text(alu_recording().replace("4 00000002", "4 00000003"))
        expect(1, "1 answers with other bytes", self.gen9sim, "replay-socket", file)
        # With a waveform of the same socket the recording is the same.
        both = self.record("subslice0.slm.mem_in", "local_atomics", "both.txt", "--vcd", self.work / "both.vcd",
                           "--vcd-scope", "subslice0.hdc.slm_out")
        if both.read_text() != (self.work / "local_atomics-subslice0.slm.mem_in.txt").read_text():
            sys.exit("a waveform changes the recording")

    def protocols(self):
        """Sockets of every protocol are recorded: as many answers as requests, in order of cycles."""
        for socket, kind in (("subslice0.eu0.msg_out0", "message"), ("gpu.cs.command_out", "command"),
                             ("spawner.thread_out0", "dispatch"), ("cs.control_out0", "control")):
            lines = [line.split() for line in self.record(socket, "local_atomics", f"{kind}.txt").read_text().splitlines()]
            records = lines[5:-1]
            requests = [words for words in records if words[0] == kind]
            answers = [words for words in records if words[0] == "answer"]
            cycles = [int(words[1]) for words in records]
            if (not requests or sorted(words[2] for words in requests) != sorted(words[2] for words in answers)
                    or cycles != sorted(cycles) or lines[-1] != ["end", str(len(records))]):
                sys.exit(f"{kind}.txt: {len(requests)} requests, {len(answers)} answers")
            print(f"{socket}: {len(requests)} requests of kind {kind}")

    def differences(self):
        """What differs is found."""
        file = self.record("subslice0.slm.mem_in", "local_atomics", "slm.txt")
        answer = r"answer \d+ \d+ 1 128 "
        spoilt = self.changed(file, "byte.txt", answer, lambda s: s[:-1] + ("0" if s[-1] != "0" else "1"))
        expect(1, r"request \d+ .*\(line \d+\): answered [0-9a-f]+ from byte \d+ on, recorded [0-9a-f]+", self.gen9sim,
               "replay-socket", spoilt)

        def later(line):
            words = line.split()
            return " ".join([words[0], str(int(words[1]) + 1), *words[2:]])
        spoilt = self.changed(file, "cycle.txt", answer, later)
        expect(1, r"1 in another cycle", self.gen9sim, "replay-socket", spoilt)
        expect(1, r"answered in cycle \d+, recorded", self.gen9sim, "replay-socket", "--set", "slm.latency=81", file)

    def errors(self):
        """Bad input is a user error of one line."""
        capture = self.traces / "local_atomics" / "stream.aub.zst"
        replay = (self.gen9sim, "replay", "--record-socket")
        expect(2, "names no socket", *replay, f"gpu.nobody={self.work}/x.txt", capture)
        expect(2, "names 3 sockets, .*: write more of the name", *replay, f"slm.mem_in={self.work}/x.txt", capture)
        expect(2, "SOCKET=FILE", *replay, "subslice0.slm.mem_in", capture)
        expect(2, "cannot be written", *replay, "subslice0.slm.mem_in=/nowhere/x.txt", capture)
        expect(3, "disk full", *replay, "subslice0.slm.mem_in=/dev/full", capture)
        expect(2, "functional mode has no cycles", self.gen9sim, "replay", "--timing", "functional",
               "--record-socket", f"subslice0.slm.mem_in={self.work}/x.txt", capture)
        file = self.record("subslice0.slm.mem_in", "local_atomics", "errors.txt")
        text = file.read_text()
        bad = self.work / "bad.txt"
        play = (self.gen9sim, "replay-socket", bad)
        for content, said in ((text[:len(text) // 2], r"line \d+: .*(cut off|digits)"),
                              (text[:text.rindex("end")], "cut off: its last line"),
                              ("", "ends before its 'gen9_socket'"),
                              ("\0" * 200000, "no line is so long"),
                              (text.replace("gen9_socket 1", "gen9_socket 2"), "version '2'"),
                              (text.replace("protocol memory", "protocol message"), "only of memory"),
                              (text.replace("slm.mem_in", "hdc.msg_in0"), "only of slm, alu, dram, llc and banks of l3"),
                              (text.replace("\nlanes ", "\nlamps ", 1), "no record that can be played"),
                              (re.sub(r"\nend \d+", "\nend 1", text), "should have 1"),
                              (re.sub(r"\n(lanes \d+) \d+", r"\n\1 99999999999", text, count=1), "not allowed"),
                              (re.sub(r"\nanswer (\d+) \d+", r"\nanswer \1 9999999", text, count=1),
                               "an answer to no request")):
            bad.write_text(content)
            expect(2, said, *play)
        expect(2, "cannot read", self.gen9sim, "replay-socket", self.work / "missing.txt")
        expect(2, "no parameter is named", self.gen9sim, "replay-socket", "--set", "hdc.nothing=1", file)

    def rtl(self):
        """The RTL, in the block player and in a testbench of its own."""
        bench = self.work / "bench"
        bench.mkdir(exist_ok=True)
        status, text = run(self.options.verilator, "--binary", "--timing", "-Wno-fatal", "-Wno-lint", "-j", "1", "-O1",
                           "--top-module", "slm_replay_tb", "--Mdir", bench, "-o", "slm_replay_tb", "-MAKEFLAGS",
                           "OPT_FAST=-O0 OPT_SLOW=-O0", self.source / "tests/cosim/recorded/slm_replay_tb.sv",
                           self.source / "platform/cosim/rtl/gen9_slm.sv")
        if status != 0:
            sys.exit(f"Verilator could not build the bench:\n{text}")
        file = self.work / "alu.txt"
        file.write_text(alu_recording())
        expect(0, "12 requests, 0 answers with other bytes, 0 in another cycle, 0 missing", self.gen9sim,
               "replay-socket", "--set", "alu.model=rtl", file)
        for trace in ("local_atomics", "prefix_sum"):
            file = self.record("subslice0.slm.mem_in", trace, f"rtl-{trace}.txt")
            expect(0, "0 answers with other bytes, 0 in another cycle, 0 missing", self.gen9sim, "replay-socket",
                   "--set", "slm.model=rtl", file)
            text = expect(0, r"PASS: \d+ requests", bench / "slm_replay_tb", f"+recording={file}")
            print(text.splitlines()[0])
            number = re.search(r"\nanswer \d+ (\d+) 1 (64|128) ", file.read_text())[1]
            found, text = run(bench / "slm_replay_tb", f"+recording={file}", f"+spoil={number}")
            if found == 0 or f"MISMATCH: request {number}, " not in text:
                sys.exit(f"the spoilt answer was not found:\n{text}")
        cut = self.work / "rtl-cut.txt"
        text = file.read_text()
        cut.write_text(text[:text.rindex("end")])
        found, text = run(bench / "slm_replay_tb", f"+recording={cut}")
        if found == 0 or "cut off" not in text:
            sys.exit(f"a cut recording was taken:\n{text}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gen9sim", required=True)
    parser.add_argument("--source", type=pathlib.Path, required=True, help="the project's folder")
    parser.add_argument("--work", type=pathlib.Path, required=True, help="a folder for files")
    parser.add_argument("--verilator", default="verilator")
    parser.add_argument("part", choices=("play", "math", "bank", "protocols", "differences", "errors", "rtl"))
    options = parser.parse_args()
    options.work = options.work / options.part
    getattr(Test(options), options.part)()


if __name__ == "__main__":
    main()
