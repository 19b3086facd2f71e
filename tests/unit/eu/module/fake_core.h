// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "eu/execute/decoded.h"
#include "interconnect/payload/message.h"

namespace gen9::test {

/// A small instruction set that takes the executor's place (executor.h) in tests of the EU module,
/// so that a test says directly which unit, registers and latency class an instruction has.
/// Registers are counted in whole GRFs; values are the DWord 0 of a register.
struct FakeInstruction {
    enum class Op : std::uint8_t {
        Illegal,     ///< zeroes: Outcome::Fault
        Add,         ///< dst = src0 + src1 + immediate
        Load,        ///< sends src0.. and takes a response into dst..
        End,         ///< a send of r112 with end of thread to the spawner
        WaitN0,      ///< wait n0.0
        JumpIfLess,  ///< to `immediate` if src0 < src1
        Timestamp,   ///< dst = tm0.<immediate>
    };
    Op op = Op::Add;
    eu::Pipe pipe = eu::Pipe::AnyFpu;
    eu::LatencyClass latency = eu::LatencyClass::Simple;
    std::uint8_t registers = 1;  ///< of data and destination
    std::uint8_t dst = 0xFF;     ///< 0xFF: none
    std::uint8_t src0 = 0xFF, src1 = 0xFF;
    std::uint8_t message_length = 1;
    std::uint8_t response_length = 0;
    std::uint8_t sfid = 0;
    std::uint16_t immediate = 0;
    bool compacted = false;
    bool thread_switch = false, atomic = false, no_src_dep_set = false, no_dd_clear = false,
         no_dd_check = false;
    bool bank_conflict = false, indirect = false;
    bool writes_flag = false, reads_flag = false, writes_acc = false, reads_acc = false;
};

FakeInstruction add(unsigned dst, unsigned src0, unsigned src1 = 0xFF, unsigned immediate = 0);
FakeInstruction load(Sfid sfid, unsigned dst, unsigned response_length, unsigned src0,
                     unsigned length = 1);
FakeInstruction end_of_thread();
FakeInstruction wait_n0();
FakeInstruction jump_if_less(unsigned src0, unsigned src1, unsigned target_bytes);

/// The bytes of a program.
std::vector<std::uint8_t> assemble(const std::vector<FakeInstruction>& program);

}  // namespace gen9::test
