// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "interconnect/payload/message.h"
#include "tests/unit/hdc/bench.h"

namespace gen9::hdc::test {

constexpr auto DC0 = Sfid::DataPort0, DC1 = Sfid::DataPort1, DC2 = Sfid::DataPort2;
constexpr std::uint64_t kData = Bench::kData;
using U32 = std::vector<std::uint32_t>;
using U64 = std::vector<std::uint64_t>;

// Descriptors of messages that many tests send, lengths included, as the compiler emits them for 8
// and 16 slots (dataport guide S-6, S-7; decode_test holds them against the disassembler's words).
// The binding table index is 0; those of 64-bit addresses have theirs.
constexpr std::uint32_t kUntypedRead8 = 0x02106E00, kUntypedRead16 = 0x04205E00;
constexpr std::uint32_t kUntypedWrite8 = 0x02026E00, kUntypedWrite16 = 0x04025E00;
constexpr std::uint32_t kUntypedReadXyzw16 = 0x04805000;
constexpr std::uint32_t kByteWrite16 = 0x04030000, kByteRead16 = 0x04210000;  ///< a byte each
constexpr std::uint32_t kA64Read8 = 0x041401FF, kA64Read16 = 0x082411FF;      ///< a DWord each
constexpr std::uint32_t kA64Write8 = 0x040681FF, kA64Write16 = 0x080691FF;
constexpr std::uint32_t kA64Add8 = 0x040487FF;  ///< no answer
constexpr std::uint32_t kTypedWrite8 = 0x02035000;
constexpr std::uint32_t kFence = 0x0219E000;  ///< with an answer

// Binding table indices with a meaning of their own.
constexpr std::uint32_t kLocal = 0xFE, kStateless = 0xFF;

}  // namespace gen9::hdc::test
