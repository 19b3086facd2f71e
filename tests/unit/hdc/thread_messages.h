// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tests/unit/hdc/decode/messages.h"
#include "tests/unit/hdc/fakes.h"

namespace gen9::hdc::test {

/// A64 DWord messages of one lane, used as plain loads and stores of a thread.
inline Send write(std::uint64_t address, std::uint32_t value) {
    return Send(DC1, kA64Write8, 1).add(U64(8, address)).add(U32(8, value));
}
inline Send read(std::uint64_t address) {
    return Send(DC1, kA64Read8, 1).add(U64(8, address));
}
inline Send add(std::uint64_t address, std::uint32_t value) {
    return Send(DC1, kA64Add8, 1).add(U64(8, address)).add(U32(8, value));
}
inline Send fence() {
    return Send(DC0, kFence, 0xFF).header({});
}
inline std::uint32_t result(const test::FakeEu::Item& item) {
    return load<std::uint32_t>(item.message.response[0].bytes);
}

/// Adds 1 to a DWord of SLM: the answer says how many came before.
inline Send count_in_slm() {
    return Send(DC1, 0x0210B700 | kLocal, 1).add(U32(8, 64)).add(U32(8, 1));
}

}  // namespace gen9::hdc::test
