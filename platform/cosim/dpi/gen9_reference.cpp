// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/dpi/gen9_reference.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "common/bits.h"
#include "cs/command/alu.h"
#include "eu/execute/executor.h"
#include "eu/execute/operands.h"
#include "eu/thread/float_control.h"
#include "interconnect/atomics.h"
#include "isa/format/decode.h"
#include "isa/text/disassemble.h"
#include "isa/text/message_text.h"
#include "slm/core.h"

namespace {

using namespace gen9;

struct AluUnit {
    cs::Alu alu;
    cs::Alu::Gprs gprs{};
};

constexpr std::size_t kNativeBytes = 16, kProgramInstructions = 4096;
using Native = std::array<std::uint8_t, kNativeBytes>;

struct ThreadUnit {
    eu::Thread thread;
    std::vector<Native> program;
};

template <class Unit>
Unit& as(void* object) {
    return *static_cast<Unit*>(object);
}

bool is_atomic(int operation) {
    return (operation >= 0 && operation <= 15) || (operation >= 17 && operation <= 19);
}

Native bytes_of(const std::uint32_t* words) {
    Native native;
    std::memcpy(native.data(), words, native.size());
    return native;
}

std::uint64_t wide(const std::uint32_t* words, unsigned index) {
    return words[2 * index] | std::uint64_t{words[2 * index + 1]} << 32;
}

std::string& text_buffer() {
    static std::string text;
    return text;
}

}  // namespace

void* gen9_alu_new(void) {
    return new AluUnit;
}
void gen9_alu_free(void* alu) {
    delete &as<AluUnit>(alu);
}
int gen9_alu_step(void* alu, uint32_t instruction) {
    auto& unit = as<AluUnit>(alu);
    return unit.alu.execute(instruction, unit.gprs);
}
uint64_t gen9_alu_register(void* alu, int number) {
    return number >= 0 && number < 16 ? as<AluUnit>(alu).gprs[static_cast<std::size_t>(number)] : 0;
}
void gen9_alu_set_register(void* alu, int number, uint64_t value) {
    if (number >= 0 && number < 16) as<AluUnit>(alu).gprs[static_cast<std::size_t>(number)] = value;
}

uint64_t gen9_atomic(int operation, int bytes, uint64_t old, uint64_t source0, uint64_t source1,
                     uint64_t* memory) {
    const unsigned width = bytes == 8 ? 8 : 4;
    if (!is_atomic(operation)) {
        *memory = old;
        return old;
    }
    const auto done =
        apply_atomic(static_cast<AtomicOp>(operation), width, old, source0, source1);
    *memory = done.memory;
    return done.returned;
}

void* gen9_slm_new(void) {
    return new slm::SlmCore;
}
void gen9_slm_free(void* slm) {
    delete &as<slm::SlmCore>(slm);
}
int gen9_slm_access(void* slm, int kind, int operation, int bytes, int lanes,
                    const uint32_t* address, const uint32_t* source0, const uint32_t* source1,
                    uint32_t* result) {
    const bool power = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
    const bool atomic = kind == 2;
    if (kind < 0 || kind > 2 || !power || lanes < 1 || lanes > 16) return 0;
    if (atomic && (bytes < 4 || !is_atomic(operation))) return 0;
    LaneAccess access;
    access.kind = static_cast<LaneAccess::Kind>(kind);
    if (atomic) access.op = static_cast<AtomicOp>(operation);
    access.width_bytes = static_cast<std::uint8_t>(bytes);
    access.count = static_cast<std::uint8_t>(lanes);
    for (unsigned lane = 0; lane < access.count; ++lane) {
        access.offset[lane] = address[lane / 2] >> lane % 2 * 16 & 0xFFFF;
        access.source0[lane] = wide(source0, lane);
        access.source1[lane] = wide(source1, lane);
    }
    const unsigned cycles = slm::SlmCore::conflict_cycles(access, 0);
    as<slm::SlmCore>(slm).perform(access, 0);
    for (unsigned lane = 0; lane < LaneAccess::kMaxLanes; ++lane) {
        const bool gives = lane < access.count && access.kind != LaneAccess::Kind::Write;
        result[2 * lane] = gives ? static_cast<std::uint32_t>(access.result[lane]) : 0;
        result[2 * lane + 1] = gives ? static_cast<std::uint32_t>(access.result[lane] >> 32) : 0;
    }
    return static_cast<int>(cycles);
}

void* gen9_thread_new(uint32_t mask) {
    auto* unit = new ThreadUnit;
    unit->thread.grf = {};
    unit->thread.dispatch_mask = unit->thread.active = mask;
    unit->thread.control[0] =
        eu::cr0::kFloatDenormals | eu::cr0::kDoubleDenormals | eu::cr0::kHalfDenormals;
    return unit;
}
void gen9_thread_free(void* thread) {
    delete &as<ThreadUnit>(thread);
}
void gen9_thread_register(void* thread, int number, uint32_t* value) {
    std::fill_n(value, kGrfBytes / 4, 0);
    if (number >= 0 && number < static_cast<int>(kGrfCount))
        std::memcpy(value, as<ThreadUnit>(thread).thread.grf[static_cast<std::size_t>(number)].bytes,
                    kGrfBytes);
}
void gen9_thread_set_register(void* thread, int number, const uint32_t* value) {
    if (number >= 0 && number < static_cast<int>(kGrfCount))
        std::memcpy(as<ThreadUnit>(thread).thread.grf[static_cast<std::size_t>(number)].bytes, value,
                    kGrfBytes);
}
uint32_t gen9_thread_flag(void* thread, int number) {
    return as<ThreadUnit>(thread).thread.flag[number == 1];
}
void gen9_thread_set_flag(void* thread, int number, uint32_t value) {
    as<ThreadUnit>(thread).thread.flag[number == 1] = value;
}
uint32_t gen9_thread_ip(void* thread) {
    return as<ThreadUnit>(thread).thread.ip;
}
int gen9_thread_execute(void* thread, const uint32_t* instruction) {
    eu::Thread& state = as<ThreadUnit>(thread).thread;
    return static_cast<int>(eu::execute(state, eu::prepare(bytes_of(instruction), state.ip)));
}
void gen9_thread_load(void* thread, int index, const uint32_t* instruction) {
    if (index < 0 || index >= static_cast<int>(kProgramInstructions)) return;
    auto& program = as<ThreadUnit>(thread).program;
    const auto place = static_cast<std::size_t>(index);
    if (program.size() <= place) program.resize(place + 1);
    program[place] = bytes_of(instruction);
}
int gen9_thread_run(void* thread, int limit) {
    auto& unit = as<ThreadUnit>(thread);
    for (int executed = 0; executed < limit; ++executed) {
        const std::size_t place = unit.thread.ip / kNativeBytes;
        if (unit.thread.ip % kNativeBytes != 0 || place >= unit.program.size()) return GEN9_FAULT;
        const auto outcome =
            eu::execute(unit.thread, eu::prepare(unit.program[place], unit.thread.ip));
        if (outcome != eu::Outcome::Next) return static_cast<int>(outcome);
    }
    return GEN9_LIMIT;
}

int gen9_region_address(void* thread, const uint32_t* instruction, int operand, int lane) {
    const auto decoded = isa::decode(bytes_of(instruction));
    if (!decoded.ok || lane < 0 || lane >= decoded.instruction.exec_size) return -1;
    const isa::Instruction& in = decoded.instruction;
    eu::LaneArray<std::uint16_t> address;
    const eu::Thread& state = as<ThreadUnit>(thread).thread;
    if (operand == 0) {
        if (in.dst.file != isa::RegFile::Grf) return -1;
        eu::destination_addresses(state, in, address);
    } else {
        const auto source = static_cast<unsigned>(operand - 1);
        if (operand < 0 || source >= in.source_count || in.src[source].file != isa::RegFile::Grf)
            return -1;
        eu::source_addresses(state, in, in.src[source], address);
    }
    return address[static_cast<unsigned>(lane)];
}

const char* gen9_disassemble(const uint32_t* instruction) {
    text_buffer() = isa::disassemble_kernel(bytes_of(instruction));
    while (!text_buffer().empty() && text_buffer().back() == '\n')
        text_buffer().pop_back();
    // The label line of the kernel's begin.
    if (const auto line = text_buffer().rfind('\n'); line != std::string::npos)
        text_buffer().erase(0, line + 1);
    return text_buffer().c_str();
}
const char* gen9_message_text(const uint32_t* instruction) {
    const auto decoded = isa::decode(bytes_of(instruction));
    text_buffer() = decoded.ok ? isa::message_text(decoded.instruction) : "illegal";
    return text_buffer().c_str();
}
