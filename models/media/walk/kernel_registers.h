// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <utility>

#include "common/units.h"
#include "isa/registers.h"
#include "media/walk/memory_reader.h"

namespace gen9::media {

/// The registers that kernels name, found once for each kernel: its lines are looked at again
/// with every use, and only where one is new its instructions are.
class KernelRegisters {
  public:
    /// Kernels of which it knows the registers, at most.
    static constexpr std::size_t kKept = 4096;
    /// `start`: of the kernel, from the instruction base.
    const isa::RegisterSet& of(GpuAddr instruction_base, std::uint32_t start, MemoryReader& memory);

  private:
    using Line = std::array<std::uint8_t, kLineBytes>;
    struct Kernel {
        std::map<std::uint64_t, Line> lines;  ///< that its instructions lie in, by address
        isa::RegisterSet named;
    };
    static bool is_same(const Kernel& kernel, MemoryReader& memory);

    std::map<std::pair<std::uint64_t, std::uint32_t>, Kernel> kernels_;
};

}  // namespace gen9::media
