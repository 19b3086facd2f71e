// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

#include "platform/host/engine.h"

namespace gen9::platform {

/// Memory as the engine's software addresses it, seen from the host: through the engine's GGTT and
/// the page tables of the context that was submitted last. For tools that look into a running
/// machine; the model's own accesses go through its GTI.
class GraphicsMemory {
  public:
    explicit GraphicsMemory(Engine& engine) : engine_(engine) {}

    /// Remembers the page tables of the context in an execlist descriptor's low DWord.
    void use_context(std::uint32_t descriptor_low);

    std::optional<PhysAddr> ggtt(std::uint64_t address) const;
    /// Four-level tables with 4 KB, 2 MB and 1 GB pages.
    std::optional<PhysAddr> ppgtt(std::uint64_t address) const;
    bool has_context() const { return pml4_.has_value(); }

    template <class T>
    T read(PhysAddr address) const {
        std::uint8_t bytes[sizeof(T)];
        engine_.read_memory(address, bytes);
        T value;
        std::memcpy(&value, bytes, sizeof value);
        return value;
    }

  private:
    Engine& engine_;
    std::optional<std::uint64_t> pml4_;
};

/// Offsets in a logical ring context image, from its first page (the per-process status page).
struct ContextImage {
    static constexpr std::uint32_t kRingHead = 0x1014, kRingTail = 0x101C, kRingStart = 0x1024;
    static constexpr std::uint32_t kPdp0High = 0x10C4, kPdp0Low = 0x10CC;
};

}  // namespace gen9::platform
