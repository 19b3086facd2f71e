// SPDX-License-Identifier: Apache-2.0
#include "hdc/decode/message_table.h"

#include <array>
#include <iterator>

#include "common/bits.h"

namespace gen9::hdc {

namespace {

using enum Shape;
using enum Header;
constexpr auto Read = Operation::Read, Write = Operation::Write, Atomic = Operation::Atomic;
constexpr std::uint8_t kBuffers = kSurface | kA32;

// Codes: guide S-6 (DC0), S-7 (DC1), S-8 (DC2), S-9 (constant cache); names 003:7035-7243.
constexpr std::array kTable{
    MessageRow{Sfid::DataPort0, 0x00, "OWord block read", OwordBlock, Read, Required, kBuffers,
               "DP-124 DP-125"},
    MessageRow{Sfid::DataPort0, 0x01, "OWord aligned block read", OwordBlock, Read, Required,
               kBuffers, "DP-130"},
    MessageRow{Sfid::DataPort0, 0x02, "OWord dual block read", DualBlock, Read, Optional, kBuffers,
               "DP-131"},
    MessageRow{Sfid::DataPort0, 0x03, "DWord scattered read", DwordScattered, Read, Optional,
               kBuffers, "DP-117"},
    MessageRow{Sfid::DataPort0, 0x04, "byte scattered read", ByteScattered, Read, Optional,
               kBuffers | kSlm, "DP-110"},
    MessageRow{Sfid::DataPort0, 0x07, "memory fence", Fence, Operation::Fence, Required, 0,
               "DP-196"},
    MessageRow{Sfid::DataPort0, 0x08, "OWord block write", OwordBlock, Write, Required, kBuffers,
               "DP-124 DP-125"},
    MessageRow{Sfid::DataPort0, 0x0A, "OWord dual block write", DualBlock, Write, Optional,
               kBuffers, "DP-131"},
    MessageRow{Sfid::DataPort0, 0x0B, "DWord scattered write", DwordScattered, Write, Optional,
               kBuffers, "DP-117"},
    MessageRow{Sfid::DataPort0, 0x0C, "byte scattered write", ByteScattered, Write, Optional,
               kBuffers | kSlm, "DP-110"},
    MessageRow{Sfid::DataPort0, 0x10, "scratch block read", ScratchBlock, Read, Required, kA32,
               "DP-133"},
    MessageRow{Sfid::DataPort0, 0x18, "scratch block write", ScratchBlock, Write, Required, kA32,
               "DP-133"},

    MessageRow{Sfid::DataPort1, 0x00, "transpose read", Transpose, Read, Required, kSurface,
               "DP-191"},
    MessageRow{Sfid::DataPort1, 0x01, "untyped surface read", Untyped, Read, Optional,
               kBuffers | kSlm, "DP-140"},
    MessageRow{Sfid::DataPort1, 0x02, "untyped atomic integer", AtomicInt, Atomic, Optional,
               kBuffers | kSlm, "DP-155"},
    MessageRow{Sfid::DataPort1, 0x03, "untyped atomic integer SIMD4x2", AtomicInt, Atomic, Optional,
               kBuffers | kSlm, "DP-155", true},
    MessageRow{Sfid::DataPort1, 0x04, "media block read", MediaBlock, Read, Required, kSurface,
               "DP-185"},
    MessageRow{Sfid::DataPort1, 0x05, "typed surface read", Typed, Read, Optional, kSurface,
               "DP-150"},
    MessageRow{Sfid::DataPort1, 0x06, "typed atomic integer", TypedAtomic, Atomic, Optional,
               kSurface, "DP-166"},
    MessageRow{Sfid::DataPort1, 0x07, "typed atomic integer SIMD4x2", TypedAtomic, Atomic, Optional,
               kSurface, "DP-166", true},
    MessageRow{Sfid::DataPort1, 0x09, "untyped surface write", Untyped, Write, Optional,
               kBuffers | kSlm, "DP-140"},
    MessageRow{Sfid::DataPort1, 0x0A, "media block write", MediaBlock, Write, Required, kSurface,
               "DP-186"},
    MessageRow{Sfid::DataPort1, 0x0B, "atomic counter", AtomicCounter, Atomic, Optional, kSurface,
               "DP-168"},
    MessageRow{Sfid::DataPort1, 0x0C, "atomic counter SIMD4x2", AtomicCounter, Atomic, Optional,
               kSurface, "DP-168", true},
    MessageRow{Sfid::DataPort1, 0x0D, "typed surface write", Typed, Write, Optional, kSurface,
               "DP-150"},
    MessageRow{Sfid::DataPort1, 0x10, "A64 scattered read", A64Scattered, Read, Forbidden, kA64,
               "DP-113 DP-119 DP-122"},
    MessageRow{Sfid::DataPort1, 0x11, "A64 untyped surface read", Untyped, Read, Forbidden, kA64,
               "DP-143"},
    MessageRow{Sfid::DataPort1, 0x12, "A64 untyped atomic integer", A64AtomicInt, Atomic, Forbidden,
               kA64, "DP-156 DP-157"},
    MessageRow{Sfid::DataPort1, 0x13, "A64 untyped atomic integer SIMD4x2", A64AtomicInt, Atomic,
               Forbidden, kA64, "DP-156", true},
    MessageRow{Sfid::DataPort1, 0x14, "A64 block read", A64Block, Read, Required, kA64,
               "DP-126 DP-130 DP-136"},
    MessageRow{Sfid::DataPort1, 0x15, "A64 block write", A64Block, Write, Required, kA64,
               "DP-126 DP-136"},
    MessageRow{Sfid::DataPort1, 0x19, "A64 untyped surface write", Untyped, Write, Forbidden, kA64,
               "DP-143"},
    MessageRow{Sfid::DataPort1, 0x1A, "A64 scattered write", A64Scattered, Write, Forbidden, kA64,
               "DP-113 DP-119 DP-122"},
    MessageRow{Sfid::DataPort1, 0x1B, "untyped atomic float", AtomicFloat, Atomic, Optional,
               kBuffers | kSlm, "DP-165"},
    MessageRow{Sfid::DataPort1, 0x1C, "untyped atomic float SIMD4x2", AtomicFloat, Atomic, Optional,
               kBuffers | kSlm, "DP-165", true},
    MessageRow{Sfid::DataPort1, 0x1D, "A64 untyped atomic float", A64AtomicFloat, Atomic, Forbidden,
               kA64, "DP-165"},
    MessageRow{Sfid::DataPort1, 0x1E, "A64 untyped atomic float SIMD4x2", A64AtomicFloat, Atomic,
               Forbidden, kA64, "DP-165", true},

    // DC2 codes stand in bits 18:15 (S-8); bit 14 is not settled, so both values are listed. A
    // header makes a message a scaled one (DP-116 to DP-123, DP-149).
    MessageRow{Sfid::DataPort2, 0x02, "scaled untyped read", Untyped, Read, Optional, kA32 | kSlm,
               "DP-149"},
    MessageRow{Sfid::DataPort2, 0x03, "scaled untyped read", Untyped, Read, Optional, kA32 | kSlm,
               "DP-149"},
    MessageRow{Sfid::DataPort2, 0x04, "A64 scaled scattered read", A64Scattered, Read, Optional,
               kA64, "DP-121 DP-123"},
    MessageRow{Sfid::DataPort2, 0x05, "A64 scaled scattered read", A64Scattered, Read, Optional,
               kA64, "DP-121 DP-123"},
    MessageRow{Sfid::DataPort2, 0x06, "A64 scaled untyped read", Untyped, Read, Optional, kA64,
               "DP-149"},
    MessageRow{Sfid::DataPort2, 0x07, "A64 scaled untyped read", Untyped, Read, Optional, kA64,
               "DP-149"},
    MessageRow{Sfid::DataPort2, 0x08, "scaled byte scattered read", ByteScattered, Read, Optional,
               kA32 | kSlm, "DP-116"},
    MessageRow{Sfid::DataPort2, 0x09, "scaled byte scattered read", ByteScattered, Read, Optional,
               kA32 | kSlm, "DP-116"},
    MessageRow{Sfid::DataPort2, 0x12, "scaled untyped write", Untyped, Write, Optional, kA32 | kSlm,
               "DP-149"},
    MessageRow{Sfid::DataPort2, 0x13, "scaled untyped write", Untyped, Write, Optional, kA32 | kSlm,
               "DP-149"},
    MessageRow{Sfid::DataPort2, 0x14, "A64 scaled untyped write", Untyped, Write, Optional, kA64,
               "DP-149"},
    MessageRow{Sfid::DataPort2, 0x15, "A64 scaled untyped write", Untyped, Write, Optional, kA64,
               "DP-149"},
    MessageRow{Sfid::DataPort2, 0x16, "A64 scaled scattered write", A64Scattered, Write, Optional,
               kA64, "DP-121 DP-123"},
    MessageRow{Sfid::DataPort2, 0x17, "A64 scaled scattered write", A64Scattered, Write, Optional,
               kA64, "DP-121 DP-123"},
    MessageRow{Sfid::DataPort2, 0x18, "scaled byte scattered write", ByteScattered, Write, Optional,
               kA32 | kSlm, "DP-116"},
    MessageRow{Sfid::DataPort2, 0x19, "scaled byte scattered write", ByteScattered, Write, Optional,
               kA32 | kSlm, "DP-116"},

    MessageRow{Sfid::ConstantCache, 0x00, "constant OWord block read", OwordBlock, Read, Required,
               kSurface, "DP-127"},
    MessageRow{Sfid::ConstantCache, 0x01, "constant OWord aligned block read", OwordBlock, Read,
               Required, kSurface, "DP-130"},
    MessageRow{Sfid::ConstantCache, 0x02, "constant OWord dual block read", DualBlock, Read,
               Optional, kSurface, "DP-131"},
    MessageRow{Sfid::ConstantCache, 0x03, "constant DWord scattered read", DwordScattered, Read,
               Optional, kSurface, "DP-120"},
    MessageRow{Sfid::ConstantCache, 0x04, "sampler cache OWord aligned block read", OwordBlock,
               Read, Required, kSurface, "DP-130"},
    MessageRow{Sfid::ConstantCache, 0x05, "sampler cache media block read", MediaBlock, Read,
               Required, kSurface, "DP-185"},
    MessageRow{Sfid::ConstantCache, 0x06, "read surface info", SurfaceInfo, Read, Forbidden,
               kSurface, "DP-195"},
    // Two sources number the last two messages differently (S-28 a): both numbers are taken.
    MessageRow{Sfid::ConstantCache, 0x09, "sampler cache media block read", MediaBlock, Read,
               Required, kSurface, "DP-185"},
    MessageRow{Sfid::ConstantCache, 0x0A, "read surface info", SurfaceInfo, Read, Forbidden,
               kSurface, "DP-195"},
};

// The table spread out by (port, type), so that decoding needs no search.
constexpr unsigned kTypes = 32;
struct Index {
    std::array<std::array<const MessageRow*, kTypes>, 16> rows{};
    Index() {
        for (const MessageRow& row : kTable)
            rows[static_cast<unsigned>(row.sfid)][row.type] = &row;
        // Bits 16:14 of a scratch block are its own: channel mode, invalidate hint, reserved.
        auto& dc0 = rows[static_cast<unsigned>(Sfid::DataPort0)];
        for (unsigned i = 1; i < 8; ++i)
            dc0[0x10 + i] = dc0[0x10], dc0[0x18 + i] = dc0[0x18];
    }
};

}  // namespace

std::span<const MessageRow> message_table() {
    return kTable;
}

std::span<const char* const> message_words() {
    static const auto words = [] {
        std::array<const char*, std::size(kTable) + 2> names{"none"};
        for (std::size_t i = 0; i < std::size(kTable); ++i)
            names[i + 1] = kTable[i].name;
        names.back() = "undefined";
        return names;
    }();
    return words;
}

std::size_t message_word(const MessageRow* row) {
    return 1 + (row == nullptr ? std::size(kTable) : static_cast<std::size_t>(row - kTable.data()));
}

const MessageRow* find_row(Sfid sfid, std::uint32_t descriptor) {
    static const Index index;
    return index.rows[static_cast<unsigned>(sfid) & 15][bits<std::uint32_t>(descriptor, 18, 14)];
}

}  // namespace gen9::hdc
