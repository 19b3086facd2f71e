// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "platform/host/drm/ranges.h"
#include "platform/host/engine.h"

namespace gen9::drm {

/// The engine's contexts as the kernel driver keeps them: a ring and an image each, in global
/// graphics memory, and the commands around a program's batch.
/// Role     every batch begins with all read caches and translations invalid and ends with all
///          writes in memory; then its number is written to the status page
/// Spec     003:1707-2383 (execlists, image); Public: Linux i915 (intel_lrc.c, gen8_engine_cs.c)
class RingContexts {
  public:
    RingContexts(platform::Engine& engine, Ranges& physical);

    /// Runs a batch; false if the engine did not come to its end. `root`: of its page tables.
    /// `wait_for_host`: called while the engine waits for the host; true: it is to be run again.
    bool submit(
        std::uint32_t context, PhysAddr root, std::uint64_t batch, std::uint64_t number,
        const std::function<bool()>& wait_for_host = [] { return false; });
    void remove(std::uint32_t context);

    /// Memory at a global graphics address.
    struct GlobalMemory {
        std::uint32_t address = 0, bytes = 0;
        PhysAddr memory;
    };
    /// Whole pages. Errors: UserError, when there is no more.
    GlobalMemory take_global(std::uint32_t bytes, std::uint32_t alignment);
    /// Registers that each context has a value of its own of, and these values, in pairs: each sets
    /// them before its next batch.
    void set_in_each(const std::vector<std::uint32_t>& registers);
    /// So many DWords of the ring do nothing before each batch.
    void pause_before_batches(std::uint32_t dwords) { pause_ = dwords; }

  private:
    struct Context {
        std::uint32_t first_page = 0;  ///< in the global table: ring, then image
        PhysAddr memory;
        std::uint32_t tail = 0;  ///< of the ring, bytes
        PhysAddr root;
        std::uint64_t settings = 0;  ///< the last of set_in_each() that it has made
    };
    void set_registers();
    Context make(PhysAddr root);
    void map_global(std::uint32_t page, PhysAddr memory, std::uint32_t pages);
    void put(PhysAddr address, std::span<const std::uint32_t> dwords);
    void put_ring(Context& context, std::span<const std::uint32_t> dwords);

    platform::Engine& engine_;
    Ranges& physical_;
    Ranges global_;  ///< pages of global graphics memory
    PhysAddr status_;
    std::vector<std::uint32_t> settings_;  ///< commands for each context, once
    std::uint64_t settings_number_ = 0;
    std::uint32_t pause_ = 0;
    std::unordered_map<std::uint32_t, Context> contexts_;
    /// Destroyed contexts leave these for the next ones: memory that the machine has written cannot
    /// be attached as a buffer.
    std::vector<Context> spare_;
};

}  // namespace gen9::drm
