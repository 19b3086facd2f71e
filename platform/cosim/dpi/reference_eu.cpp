// SPDX-License-Identifier: Apache-2.0
// Threads of an execution unit, messages and text, for the C interface.
#include <array>
#include <cstring>
#include <vector>

#include "common/bits.h"
#include "eu/execute/executor.h"
#include "eu/execute/operands.h"
#include "eu/thread/float_control.h"
#include "isa/format/decode.h"
#include "isa/text/disassemble.h"
#include "isa/text/message_text.h"
#include "platform/cosim/dpi/gen9_reference.h"
#include "platform/cosim/dpi/objects.h"

namespace {

using namespace gen9;
using namespace gen9::reference;

constexpr std::size_t kNativeBytes = 16, kProgramInstructions = 4096;
using Native = std::array<std::uint8_t, kNativeBytes>;

struct ThreadUnit {
    eu::Thread thread;
    std::vector<Native> program;
};

Native bytes_of(const std::uint32_t* words) {
    Native native;
    std::memcpy(native.data(), words, native.size());
    return native;
}

int execute(eu::Thread& thread, const Native& instruction) {
    return static_cast<int>(eu::execute(thread, eu::prepare(instruction, thread.ip)));
}

/// A register of the thread: `read` or `write` is given the place that `number` names.
template <class Values, class Act>
int element(void* thread, Values eu::Thread::*values, int number, Act&& act) {
    return with<ThreadUnit>(thread, [&](ThreadUnit& unit) -> int {
        auto& all = unit.thread.*values;
        if (number < 0 || static_cast<std::size_t>(number) >= all.size()) return GEN9_BAD_ARGUMENT;
        act(all[static_cast<std::size_t>(number)]);
        return GEN9_OK;
    });
}
template <class Values>
int read_element(void* thread, Values eu::Thread::*values, int number, std::uint32_t* value) {
    if (!value) return GEN9_BAD_ARGUMENT;
    return element(thread, values, number, [&](const auto& place) { *value = place; });
}
template <class Values>
int write_element(void* thread, Values eu::Thread::*values, int number, std::uint32_t value) {
    return element(thread, values, number, [&](auto& place) {
        place = static_cast<std::remove_reference_t<decltype(place)>>(value);
    });
}

}  // namespace

void* gen9_thread_new(uint32_t mask) {
    return made<ThreadUnit>([&] {
        auto unit = std::make_unique<ThreadUnit>();
        unit->thread.grf = {};
        unit->thread.dispatch_mask = unit->thread.active = mask;
        unit->thread.control[0] =
            eu::cr0::kFloatDenormals | eu::cr0::kDoubleDenormals | eu::cr0::kHalfDenormals;
        return unit;
    });
}
int gen9_thread_free(void* thread) {
    return Objects<ThreadUnit>::end(thread);
}
int gen9_thread_register(void* thread, int number, uint32_t* value) {
    if (!value) return GEN9_BAD_ARGUMENT;
    return element(thread, &eu::Thread::grf, number,
                   [&](const Grf& grf) { std::memcpy(value, grf.bytes, kGrfBytes); });
}
int gen9_thread_set_register(void* thread, int number, const uint32_t* value) {
    if (!value) return GEN9_BAD_ARGUMENT;
    return element(thread, &eu::Thread::grf, number,
                   [&](Grf& grf) { std::memcpy(grf.bytes, value, kGrfBytes); });
}
int gen9_thread_flag(void* thread, int number, uint32_t* value) {
    return read_element(thread, &eu::Thread::flag, number, value);
}
int gen9_thread_set_flag(void* thread, int number, uint32_t value) {
    return write_element(thread, &eu::Thread::flag, number, value);
}
int gen9_thread_address(void* thread, int number, uint32_t* value) {
    return read_element(thread, &eu::Thread::address, number, value);
}
int gen9_thread_set_address(void* thread, int number, uint32_t value) {
    if (value > 0xFFFF) return GEN9_BAD_ARGUMENT;
    return write_element(thread, &eu::Thread::address, number, value);
}
int gen9_thread_control(void* thread, int number, uint32_t* value) {
    return read_element(thread, &eu::Thread::control, number, value);
}
int gen9_thread_set_control(void* thread, int number, uint32_t value) {
    return write_element(thread, &eu::Thread::control, number, value);
}
int gen9_thread_ip(void* thread, uint32_t* value) {
    return with<ThreadUnit>(thread, [&](ThreadUnit& unit) -> int {
        if (!value) return GEN9_BAD_ARGUMENT;
        *value = unit.thread.ip;
        return GEN9_OK;
    });
}

int gen9_thread_execute(void* thread, const uint32_t* instruction) {
    return with<ThreadUnit>(thread, [&](ThreadUnit& unit) -> int {
        if (!instruction) return GEN9_BAD_ARGUMENT;
        return execute(unit.thread, bytes_of(instruction));
    });
}
int gen9_thread_load(void* thread, int index, const uint32_t* instruction) {
    return with<ThreadUnit>(thread, [&](ThreadUnit& unit) -> int {
        if (!instruction || index < 0 || index >= static_cast<int>(kProgramInstructions))
            return GEN9_BAD_ARGUMENT;
        const auto place = static_cast<std::size_t>(index);
        if (unit.program.size() <= place) unit.program.resize(place + 1);
        unit.program[place] = bytes_of(instruction);
        return GEN9_OK;
    });
}
int gen9_thread_run(void* thread, int limit) {
    return with<ThreadUnit>(thread, [&](ThreadUnit& unit) -> int {
        if (limit < 0) return GEN9_BAD_ARGUMENT;
        for (int executed = 0; executed < limit; ++executed) {
            const std::size_t place = unit.thread.ip / kNativeBytes;
            if (unit.thread.ip % kNativeBytes != 0 || place >= unit.program.size())
                return GEN9_FAULT;
            const int outcome = execute(unit.thread, unit.program[place]);
            if (outcome != GEN9_NEXT) return outcome;
        }
        return GEN9_LIMIT;
    });
}

int gen9_region_address(void* thread, const uint32_t* instruction, int operand, int lane) {
    return with<ThreadUnit>(thread, [&](ThreadUnit& unit) -> int {
        if (!instruction) return GEN9_BAD_ARGUMENT;
        const auto decoded = isa::decode(bytes_of(instruction));
        if (!decoded.ok) return GEN9_UNDEFINED;
        const isa::Instruction& in = decoded.instruction;
        if (operand < 0 || operand > in.source_count || lane < 0 || lane >= in.exec_size)
            return GEN9_BAD_ARGUMENT;
        const isa::Operand& named =
            operand == 0 ? in.dst : in.src[static_cast<std::size_t>(operand - 1)];
        if (named.file != isa::RegFile::Grf) return GEN9_BAD_ARGUMENT;
        eu::LaneArray<std::uint16_t> address;
        if (operand == 0)
            eu::destination_addresses(unit.thread, in, address);
        else
            eu::source_addresses(unit.thread, in, named, address);
        return address[static_cast<unsigned>(lane)];
    });
}

int gen9_message_decode(const uint32_t* instruction, int32_t* function, int32_t* length,
                        int32_t* response, int32_t* header, int32_t* end, uint32_t* descriptor) {
    return guarded([&]() -> int {
        if (!instruction || !function || !length || !response || !header || !end || !descriptor)
            return GEN9_BAD_ARGUMENT;
        const auto decoded = isa::decode(bytes_of(instruction));
        const isa::Instruction& in = decoded.instruction;
        const bool send = in.opcode == isa::Opcode::Send || in.opcode == isa::Opcode::Sendc ||
                          in.opcode == isa::Opcode::Sends || in.opcode == isa::Opcode::Sendsc;
        if (!decoded.ok || !send || in.descriptor_from_a0 || in.extended_from_a0)
            return GEN9_UNDEFINED;
        // 003:19068-19097.
        *function = in.sfid;
        *length = static_cast<std::int32_t>(bits(in.descriptor, 28, 25));
        *response = static_cast<std::int32_t>(bits(in.descriptor, 24, 20));
        *header = static_cast<std::int32_t>(bits(in.descriptor, 19, 19));
        *end = in.end_of_thread;
        *descriptor = in.descriptor;
        return GEN9_OK;
    });
}

const char* gen9_disassemble(const uint32_t* instruction) {
    return kept_text([&]() -> std::string {
        if (!instruction) return "";
        std::string text = isa::disassemble_kernel(bytes_of(instruction));
        while (!text.empty() && text.back() == '\n')
            text.pop_back();
        // The first line is the label of the kernel's begin.
        if (const auto line = text.rfind('\n'); line != std::string::npos) text.erase(0, line + 1);
        return text;
    });
}
const char* gen9_message_text(const uint32_t* instruction) {
    return kept_text([&]() -> std::string {
        if (!instruction) return "";
        const auto decoded = isa::decode(bytes_of(instruction));
        return decoded.ok ? isa::message_text(decoded.instruction) : "illegal";
    });
}
