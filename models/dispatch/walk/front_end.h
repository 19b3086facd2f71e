// SPDX-License-Identifier: Apache-2.0
/// Front end: the video front end's state and its commands (core half).
/// Role     keeps MEDIA_VFE_STATE, the descriptor rows and the CURBE rows of the URB; turns a
///          GPGPU_WALKER into a Walk that the dispatcher can run
/// Not here time and sockets (module.h); groups, slots and resources (dispatcher.h)
/// Spec     TD-01..TD-36; 003:17140-17300
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "dispatch/walk/urb_entries.h"
#include "dispatch/walk/walk.h"
#include "interconnect/command.h"

namespace gen9::dispatch {

/// Where descriptors and payload come from.
class MemoryReader {
  public:
    virtual ~MemoryReader() = default;
    /// False when the memory refused; `data` is then zero. `mocs`: memory object control state.
    virtual bool read(GpuAddr address, std::span<std::uint8_t> data, std::uint8_t mocs) = 0;
};

class FrontEnd {
  public:
    /// `urb_rows`: URB rows the media pipe may use (TD-29).
    FrontEnd(const Topology& topology, std::uint32_t urb_rows)
        : topology_(topology), urb_rows_(urb_rows) {}

    enum class Kind : std::uint8_t {
        State,    ///< changes state that running threads depend on: they must end first
        Load,     ///< fills a part of the URB
        Flush,    ///< MEDIA_STATE_FLUSH
        Walker,   ///< starts threads
        Refused,  ///< unknown, or not modelled
    };
    static Kind kind_of(const PipelineCommand& command);

    /// Carries out a command of kind State or Load.
    std::optional<Refusal> execute(const PipelineCommand& command, MemoryReader& memory);
    /// Must a walker wait until an earlier one has given its URB entry back (TD-31)?
    bool waits_for_entry(const PipelineCommand& command, Cycles now);
    /// Checks a walker and collects what its threads need in `walk` (buffers are reused).
    std::optional<Refusal> prepare(const PipelineCommand& command, MemoryReader& memory,
                                   Walk& walk);
    /// Why a command of kind Refused is not carried out.
    static Refusal refuse(const PipelineCommand& command);

    struct FlushRequest {
        bool watermark = false;  ///< wait until the descriptor's resources are free (TD-10)
        bool flush_to_go = false;
        unsigned descriptor = 0;
    };
    static FlushRequest flush_of(const PipelineCommand& command);

    const VfeState& vfe() const { return vfe_; }
    Descriptor descriptor(unsigned index) const;
    UrbEntries& urb_entries() { return urb_entries_; }
    const UrbEntries& urb_entries() const { return urb_entries_; }
    /// What a command of kind Load has put into the CURBE's area of the URB; it begins there.
    std::span<std::uint8_t> curbe_of(const PipelineCommand& command);

  private:
    std::optional<Refusal> load_descriptors(const PipelineCommand&, MemoryReader&);
    std::optional<Refusal> load_curbe(const PipelineCommand&, MemoryReader&);
    std::optional<Refusal> fetch_indirect(const PipelineCommand&, MemoryReader&, Walk&);
    std::optional<Refusal> fetch_curbe(Walk&) const;

    Topology topology_;
    std::uint32_t urb_rows_;
    VfeState vfe_;
    bool vfe_valid_ = false;
    UrbEntries urb_entries_;
    unsigned descriptors_loaded_ = 0;
    std::array<std::array<std::uint32_t, 8>, VfeState::kDescriptorRows> descriptor_rows_{};
    std::vector<std::uint8_t> curbe_;
};

}  // namespace gen9::dispatch
