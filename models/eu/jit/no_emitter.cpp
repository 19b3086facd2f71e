// SPDX-License-Identifier: Apache-2.0
// Without Xbyak nothing is compiled.
#include "eu/jit/emitter.h"
#include "eu/jit/host.h"

namespace gen9::eu::jit {

Level host_level() {
    return Level::None;
}
bool plan(CompiledRegion&, std::span<const Part>, std::uint32_t, Level) {
    return false;
}
bool emit(const CompiledRegion&, bool, const Messages::Direct&) {
    return false;
}

}  // namespace gen9::eu::jit
