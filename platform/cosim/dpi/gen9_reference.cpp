// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/dpi/gen9_reference.h"

#include <cstring>
#include <optional>

#include "cs/command/alu.h"
#include "interconnect/payload/lane_access.h"
#include "platform/cosim/dpi/objects.h"
#include "slm/core.h"

namespace {

using namespace gen9;
using namespace gen9::reference;

struct AluUnit {
    cs::Alu alu;
    cs::Alu::Gprs gprs{};
};

bool is_register(int number) {
    return number >= 0 && number < static_cast<int>(cs::Alu::Gprs{}.size());
}

bool is_atomic(int operation, int bytes) {
    const bool integer = operation >= 0 && operation <= 15 && (bytes == 4 || bytes == 8);
    return integer || (operation >= 17 && operation <= 19 && bytes == 4);
}

std::uint64_t wide(const std::uint32_t* words, unsigned index) {
    return words[2 * index] | std::uint64_t{words[2 * index + 1]} << 32;
}

/// The access that the arguments describe, if there is one.
std::optional<LaneAccess> lane_access(int kind, int operation, int bytes, int lanes,
                                      const std::uint32_t* address, const std::uint32_t* source0,
                                      const std::uint32_t* source1) {
    const bool power = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
    if (!address || !source0 || !source1 || kind < 0 || kind > 2 || !power || lanes < 1 ||
        lanes > static_cast<int>(LaneAccess::kMaxLanes))
        return std::nullopt;
    LaneAccess access;
    access.kind = static_cast<LaneAccess::Kind>(kind);
    if (access.kind == LaneAccess::Kind::Atomic) {
        if (!is_atomic(operation, bytes)) return std::nullopt;
        access.op = static_cast<AtomicOp>(operation);
    }
    access.width_bytes = static_cast<std::uint8_t>(bytes);
    access.count = static_cast<std::uint8_t>(lanes);
    for (unsigned lane = 0; lane < access.count; ++lane) {
        access.offset[lane] = address[lane / 2] >> lane % 2 * 16 & 0xFFFF;
        access.source0[lane] = wide(source0, lane);
        access.source1[lane] = wide(source1, lane);
    }
    return access;
}

void give(const LaneAccess& access, std::uint32_t* result) {
    for (unsigned lane = 0; lane < LaneAccess::kMaxLanes; ++lane) {
        const bool gives = lane < access.count && access.kind != LaneAccess::Kind::Write;
        const std::uint64_t value = gives ? access.result[lane] : 0;
        result[2 * lane] = static_cast<std::uint32_t>(value);
        result[2 * lane + 1] = static_cast<std::uint32_t>(value >> 32);
    }
}

}  // namespace

int gen9_reference_version(void) {
    return GEN9_REFERENCE_VERSION;
}
const char* gen9_status_text(int status) {
    switch (status) {
        case GEN9_BAD_OBJECT:
            return "not an object of this kind";
        case GEN9_BAD_ARGUMENT:
            return "bad argument";
        case GEN9_UNDEFINED:
            return "not defined by the hardware";
        case GEN9_INTERNAL:
            return "error of the model";
        default:
            return status < 0 ? "unknown" : "done";
    }
}

void* gen9_alu_new(void) {
    return made<AluUnit>([] { return std::make_unique<AluUnit>(); });
}
int gen9_alu_free(void* alu) {
    return Objects<AluUnit>::end(alu);
}
int gen9_alu_step(void* alu, uint32_t instruction) {
    return with<AluUnit>(alu, [&](AluUnit& unit) -> int {
        return unit.alu.execute(instruction, unit.gprs) ? GEN9_OK : GEN9_UNDEFINED;
    });
}
int gen9_alu_run(void* alu, const uint32_t* instructions, int count) {
    return with<AluUnit>(alu, [&](AluUnit& unit) -> int {
        if (!instructions || count < 0) return GEN9_BAD_ARGUMENT;
        int done = 0;
        while (done < count && unit.alu.execute(instructions[done], unit.gprs))
            ++done;
        return done;
    });
}
int gen9_alu_register(void* alu, int number, uint64_t* value) {
    return with<AluUnit>(alu, [&](AluUnit& unit) -> int {
        if (!value || !is_register(number)) return GEN9_BAD_ARGUMENT;
        *value = unit.gprs[static_cast<std::size_t>(number)];
        return GEN9_OK;
    });
}
int gen9_alu_set_register(void* alu, int number, uint64_t value) {
    return with<AluUnit>(alu, [&](AluUnit& unit) -> int {
        if (!is_register(number)) return GEN9_BAD_ARGUMENT;
        unit.gprs[static_cast<std::size_t>(number)] = value;
        return GEN9_OK;
    });
}
const char* gen9_alu_text(uint32_t instruction) {
    return kept_text([&] { return cs::alu_text(instruction); });
}

int gen9_atomic(int operation, int bytes, uint64_t old, uint64_t source0, uint64_t source1,
                uint64_t* returned, uint64_t* memory) {
    if (!returned || !memory || !is_atomic(operation, bytes)) return GEN9_BAD_ARGUMENT;
    const auto done = apply_atomic(static_cast<AtomicOp>(operation), static_cast<unsigned>(bytes),
                                   old, source0, source1);
    *returned = done.returned;
    *memory = done.memory;
    return GEN9_OK;
}

int gen9_l3_access(int kind, int operation, int bytes, int lanes, const uint32_t* address,
                   const uint32_t* source0, const uint32_t* source1, uint32_t* line,
                   uint32_t* result) {
    auto access = lane_access(kind, operation, bytes, lanes, address, source0, source1);
    if (!access || !line || !result) return GEN9_BAD_ARGUMENT;
    std::array<std::uint8_t, kLineBytes> window;
    std::memcpy(window.data(), line, window.size());
    perform_lanes(*access, window, 0);
    std::memcpy(line, window.data(), window.size());
    give(*access, result);
    return GEN9_OK;
}

void* gen9_slm_new(void) {
    return made<slm::SlmCore>([] { return std::make_unique<slm::SlmCore>(); });
}
int gen9_slm_free(void* slm) {
    return Objects<slm::SlmCore>::end(slm);
}
int gen9_slm_access(void* slm, int kind, int operation, int bytes, int lanes,
                    const uint32_t* address, const uint32_t* source0, const uint32_t* source1,
                    uint32_t* result) {
    return with<slm::SlmCore>(slm, [&](slm::SlmCore& core) -> int {
        auto access = lane_access(kind, operation, bytes, lanes, address, source0, source1);
        if (!access || !result) return GEN9_BAD_ARGUMENT;
        const unsigned cycles = slm::SlmCore::conflict_cycles(*access, 0);
        core.perform(*access, 0);
        give(*access, result);
        return static_cast<int>(cycles);
    });
}
