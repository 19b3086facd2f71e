// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/report.h"
#include "interconnect/payload/resource.h"
#include "packets/commands.h"
#include "packets/resource_streamer.h"
#include "rs/stats.h"

namespace gen9::rs {

/// An address has 48 bits: behind the last one lies the first.
constexpr GpuAddr canonical(std::uint64_t address) {
    return GpuAddr(address << 16 >> 16);
}

constexpr GpuAddr line_of(GpuAddr address) {
    return GpuAddr(address.value / kLineBytes * kLineBytes);
}

/// Up to a line of memory. Several in one call do not depend on each other and may be served in any
/// order (RS-31, RS-33).
struct LineAccess {
    GpuAddr address;
    unsigned size_bytes = 0;
    std::array<std::uint8_t, kLineBytes> bytes{};
};
/// Memory as the core sees it; what does not translate reads zero and loses writes.
class Memory {
  public:
    virtual ~Memory() = default;
    virtual void read(std::span<LineAccess> lines) = 0;
    virtual void write(std::span<const LineAccess> lines) = 0;
};

/// A command of the stream, decoded once.
struct StreamCommand {
    StreamCommand(const packets::CommandRow& its_row, std::span<const std::uint32_t> its_dwords,
                  GpuAddr at)
        : row(&its_row),
          action(packets::resource_action(its_row, its_dwords[0])),
          dwords(its_dwords),
          address(at) {}
    const packets::CommandRow* row;
    packets::ResourceAction action;
    std::span<const std::uint32_t> dwords;
    GpuAddr address;
};

/// RsCore: what the resource streamer's commands do (no SystemC; time is in module.h).
/// Role     keeps the on-die binding tables and gather tables of the five stages, writes tables and
///          packed constants to their pools.
/// Not here where the stream begins and stops, how far ahead (module.h)
/// Spec     RS-08, RS-14..RS-21, RS-24..RS-27, RS-34, RS-36; 003:2521-2637, 2854-2916
class RsCore {
  public:
    static constexpr unsigned kTableEntries = 256, kGatherEntries = 256;
    static constexpr unsigned kMaxTablesOfBatch = 16383;  ///< 003:2884

    RsCore(Reporter& reporter, RsStats& stats) : reporter_(reporter), stats_(stats) {}

    /// The stream goes on with this state; `new_batch`: its first command since the batch started.
    void take_over(const ResourceState& state, bool new_batch);
    /// Executes a whole command, which does not stop the streamer. True: it has made the product
    /// of the command's action.
    bool execute(const StreamCommand& command, Memory& memory);

    /// A command of a context image (RS-14). False: it does not belong there.
    bool restore(const packets::CommandRow& row, std::span<const std::uint32_t> dwords);
    /// The image from DWord `kImageDword` of the context on.
    std::vector<std::uint32_t> image() const;
    static constexpr unsigned kImageDword = 0x1690, kImageDwords = 0x802;

    const ResourceState& state() const { return state_; }
    std::uint16_t table_entry(packets::ResourceStage stage, unsigned index) const {
        return stages_[static_cast<unsigned>(stage)].table[index];
    }

  private:
    using Dwords = std::span<const std::uint32_t>;
    struct Stage {
        std::array<std::uint16_t, kTableEntries> table{};
        std::array<std::uint16_t, kGatherEntries> gather{};
    };
    /// An entry of a gather table, resolved.
    struct Element {
        unsigned buffer;  ///< of the 16 that the command may name
        unsigned channels;
        std::uint64_t offset_bytes;
    };
    struct Buffer {
        GpuAddr base;
        std::uint64_t size_bytes = 0;
    };

    /// Of the command in execution.
    Stage& stage() { return stages_[static_cast<unsigned>(packets::resource_stage(*row_))]; }
    void edit(Dwords dwords);
    void load_gather(Dwords dwords);
    void write_table(Dwords dwords, Memory& memory);
    void gather(Dwords dwords, Memory& memory);
    std::array<Buffer, 16> find_buffers(Dwords dwords, const std::vector<Element>& elements,
                                        Memory& memory);
    std::vector<std::uint32_t> pack(const std::vector<Element>& elements,
                                    const std::array<Buffer, 16>& buffers, Memory& memory);
    void write_pool(const ResourcePool& pool, std::uint64_t offset,
                    std::span<const std::uint8_t> bytes, Memory& memory);
    void latch_base(Dwords dwords);
    void store_data(Dwords dwords, Memory& memory);
    void guest_error(const std::string& kind, const std::string& text);

    Reporter& reporter_;
    RsStats& stats_;
    ResourceState state_;
    std::array<Stage, packets::kResourceStages> stages_{};
    unsigned tables_of_batch_ = 0;
    bool made_in_batch_ = false;  ///< something that depends on the surface state base
    const packets::CommandRow* row_ = nullptr;  ///< of the command in execution
    GpuAddr address_;
};

}  // namespace gen9::rs
