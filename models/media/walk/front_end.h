// SPDX-License-Identifier: Apache-2.0
/// Front end: the video front end's state and its commands (core half).
/// Role     keeps MEDIA_VFE_STATE, MEDIA_POOL_STATE, the descriptor rows and the CURBE rows of the
///          URB; turns a GPGPU_WALKER or a media object into a Walk that the dispatcher can run
/// Not here time and sockets (module.h); groups, slots and resources (dispatcher.h)
/// Spec     TD-01..TD-36, MED-08, MED-42..44, MED-51, MED-61; 003:17140-17300, 003:17938-17993
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "interconnect/payload/command.h"
#include "interconnect/payload/register_file.h"
#include "interconnect/payload/urb_handles.h"
#include "media/walk/kernel_registers.h"
#include "media/walk/memory_reader.h"
#include "media/walk/walk.h"

namespace gen9::media {

class FrontEnd {
  public:
    /// `urb_rows`: URB rows the media pipe may use (TD-29). `slm_kb`: shared local memory of a
    /// subslice. `ids_return_to_zero`: of a walker's groups (TD-36). `registers`: of each EU.
    FrontEnd(const ThreadTopology& topology, std::uint32_t urb_rows, unsigned slm_kb = 64,
             bool ids_return_to_zero = false, RegisterFile registers = {})
        : topology_(topology),
          urb_rows_(urb_rows),
          slm_kb_(slm_kb),
          ids_return_to_zero_(ids_return_to_zero),
          registers_(registers) {}

    enum class Kind : std::uint8_t {
        State,    ///< changes state that running threads depend on: they must end first
        Load,     ///< fills a part of the URB
        Flush,    ///< MEDIA_STATE_FLUSH
        Walker,   ///< GPGPU_WALKER
        Media,    ///< MEDIA_OBJECT, _GRPID, _PRT, _WALKER
        Refused,  ///< unknown
    };
    static Kind kind_of(const PipelineCommand& command);
    /// A state command that cuts the URB anew: MEDIA_VFE_STATE.
    static bool makes_partition(const PipelineCommand& command);

    /// Carries out a command of kind State or Load.
    std::optional<Refusal> execute(const PipelineCommand& command, MemoryReader& memory);
    /// Must a command wait until an earlier one has given its URB entry back (TD-31)?
    bool waits_for_entry(const PipelineCommand& command, Cycles now);
    /// Checks a walker and collects what its threads need in `walk` (buffers are reused).
    std::optional<Refusal> prepare(const PipelineCommand& command, MemoryReader& memory,
                                   Walk& walk);
    /// Does the same for a media object or walker. Of its group `thread_in_group` threads have
    /// already been sent, for MEDIA_OBJECT_GRPID.
    std::optional<Refusal> prepare_media(const PipelineCommand& command, MemoryReader& memory,
                                         unsigned thread_in_group, Walk& walk);
    /// The CURBE's rows that a descriptor asks for (its read offset and length), for a child
    /// thread; nothing when the CURBE does not hold them.
    std::optional<std::span<const std::uint8_t>> constants_of(const Descriptor& descriptor) const;
    unsigned descriptors_loaded() const { return descriptors_loaded_; }
    /// Says why a command of kind Refused is not carried out.
    static Refusal refuse();

    /// From now on threads need registers, where they can wait for these. At first they need none.
    void count_registers(bool on) {
        counts_registers_ = on && registers_.limits(topology_.threads);
    }
    /// Walk::registers of threads with so many registers of payload. A kernel whose bits leave open
    /// what it names takes all 128.
    unsigned registers_of(const PipelineState& state, const Descriptor& descriptor,
                          unsigned payload, MemoryReader& memory);
    /// The EU has less than a thread takes.
    std::optional<Refusal> check_registers(const char* command, const PipelineState& state,
                                           const Descriptor& descriptor, unsigned registers) const;

    struct FlushRequest {
        bool watermark = false;  ///< wait until the descriptor's resources are free (TD-10)
        bool flush_to_go = false;
        unsigned descriptor = 0;
    };
    static FlushRequest flush_of(const PipelineCommand& command);

    const VfeState& vfe() const { return vfe_; }
    const EuPools& pools() const { return pools_; }
    Descriptor descriptor(unsigned index) const;
    /// The front end's threads have this owner in `urb_handles`.
    static constexpr unsigned kUrbOwner = 0;
    UrbHandles& urb_handles() { return urb_handles_; }
    const UrbHandles& urb_handles() const { return urb_handles_; }
    /// A command of kind Load has put this into the CURBE's area of the URB, from its beginning on.
    std::span<std::uint8_t> curbe_of(const PipelineCommand& command);

  private:
    std::optional<Refusal> load_descriptors(const PipelineCommand&, MemoryReader&);
    std::optional<Refusal> load_curbe(const PipelineCommand&, MemoryReader&);
    std::optional<Refusal> fetch_indirect(const PipelineCommand&, MemoryReader&, Walk&);
    std::optional<Refusal> fetch_curbe(Walk&) const;
    unsigned room_for_groups(const Walk&) const;
    std::optional<Refusal> check_media(const Walk&) const;
    std::optional<Refusal> check_payload(const Walk&) const;
    std::optional<Refusal> check_place(const Walk&) const;
    std::optional<Refusal> check_slm(const char* command, const Descriptor&) const;
    std::optional<Refusal> fetch_media(const PipelineCommand&, MemoryReader&,
                                       unsigned thread_in_group, Walk&);
    std::optional<Refusal> fetch_mask(Walk&) const;
    std::optional<Refusal> fetch_split(unsigned threads, Walk&) const;

    ThreadTopology topology_;
    std::uint32_t urb_rows_;
    unsigned slm_kb_;
    bool ids_return_to_zero_;
    RegisterFile registers_;
    bool counts_registers_ = false;
    KernelRegisters kernels_;
    VfeState vfe_;
    EuPools pools_;
    bool vfe_valid_ = false;
    UrbHandles urb_handles_;
    unsigned descriptors_loaded_ = 0;
    std::array<std::array<std::uint32_t, 8>, VfeState::kDescriptorRows> descriptor_rows_{};
    std::vector<std::uint8_t> curbe_;
};

}  // namespace gen9::media
