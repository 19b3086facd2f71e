// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "isa/text/assemble.h"

namespace gen9::test {

/// The code of a kernel that names registers `first`, `first` + 1, ..., so many of them, and r127, by
/// which it ends.
inline auto named_kernel(unsigned first, unsigned names) {
    isa::Program p;
    for (unsigned i = 0; i < names; ++i)
        p << isa::Inst(isa::Opcode::Mov)
                 .exec(8)
                 .dst(isa::grf(first + i), isa::Type::D)
                 .src(isa::imm(1));
    p << isa::Inst(isa::Opcode::Send)
             .exec(8)
             .dst(isa::null(), isa::Type::UD)
             .src(isa::grf(127), isa::Type::UD)
             .message(7, 0x02000010)
             .eot();
    return p.bytes();
}

}  // namespace gen9::test
