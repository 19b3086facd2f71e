// SPDX-License-Identifier: Apache-2.0
#include "media/walk/kernel_registers.h"

#include <algorithm>

namespace gen9::media {

bool KernelRegisters::is_same(const Kernel& kernel, MemoryReader& memory) {
    return !kernel.lines.empty() && std::ranges::all_of(kernel.lines, [&](const auto& known) {
        Line now{};
        return memory.look(GpuAddr(known.first), now) && now == known.second;
    });
}

const isa::RegisterSet& KernelRegisters::of(GpuAddr instruction_base, std::uint32_t start,
                                            MemoryReader& memory) {
    if (kernels_.size() >= kKept) kernels_.clear();
    Kernel& kernel = kernels_[{instruction_base.value, start}];
    if (is_same(kernel, memory)) return kernel.named;
    kernel = {};
    const auto byte = [&](std::uint64_t address, std::uint8_t& to) {
        const std::uint64_t line = address & ~std::uint64_t{kLineBytes - 1};
        auto known = kernel.lines.find(line);
        if (known == kernel.lines.end()) {
            Line bytes{};
            if (!memory.look(GpuAddr(line), bytes)) return false;
            known = kernel.lines.emplace(line, bytes).first;
        }
        to = known->second[address - line];
        return true;
    };
    kernel.named =
        isa::registers_of_program(start, [&](std::uint32_t at, std::span<std::uint8_t, 16> bytes) {
            // The second half of a compacted instruction may lie where nothing is.
            std::ranges::fill(bytes, std::uint8_t{0});
            for (unsigned i = 0; i < bytes.size(); ++i)
                if (!byte((instruction_base + at).value + i, bytes[i])) return i >= 8;
            return true;
        });
    return kernel.named;
}

}  // namespace gen9::media
