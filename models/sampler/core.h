// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <memory>
#include <span>
#include <utility>

#include "common/filled_places.h"
#include "common/report.h"
#include "sampler/filter/pages.h"
#include "sampler/filter/request.h"
#include "sampler/media/request.h"
#include "sampler/message/message.h"
#include "sampler/stats.h"
#include "sampler/usual_site.h"
#include "surface/media_surface.h"
#include "surface/resolver.h"

namespace gen9::sampler {

/// Sampler of a subslice (core half): what each message reads and what it returns.
/// Role     decodes descriptors, resolves surface and sampler states, finds the texels, and makes
///          the answer of their bytes
/// Order    execute, with a memory; or begin_timed, deliver for each line of the request, finish
/// Not here when lines come and in which order messages are answered (module.h)
/// Spec     SMP-01..SMP-260, L3-86..L3-88; 003:2965-4826, 003:10041-10987, sampler guide 3.1-3.9
class Core {
  public:
    enum class Work : std::uint8_t {
        None,    ///< the response is complete
        Texels,  ///< texels are to be fetched, then finish
        Flush,   ///< to be answered when earlier messages are complete and the caches are empty
    };
    /// `bindless_samplers`: the product has them; they are reported (L3-88).
    Core(Reporter& reporter, SamplerStats& stats, surface::StateReader& reader,
         bool bindless_samplers = false)
        : reporter_(reporter),
          stats_(stats),
          reader_(reader),
          control_lines_(reader, reporter),
          bindless_samplers_(bindless_samplers) {}

    /// Sets the message's status and response enables, counts, and completes the message with
    /// texels out of `memory`; a flush is left to the caller. Illegal messages are reported and
    /// answered with zeros.
    void execute(Message& message, Request& request, TexelMemory& memory);

    /// Finds out what the messages of a site have in common, of one of them.
    void find_site(Message& message, UsualSite& site, Request& request);
    /// Grows whenever what find_site has found may have changed.
    std::uint64_t findings() const { return surfaces_.changes() + sampler_changes_; }
    /// Carries out a message of a site that is current and usable. False: nothing has been done or
    /// counted, and it is to be executed.
    bool execute(UsualSite& site, const SiteMessage& message, Request& request,
                 TexelMemory& memory);

    /// Does the same up to the texels: `request` then has the lines to be read, in the order of the
    /// address generators: samples in groups of four, each line once a group. It stands for itself
    /// while other messages come.
    Work begin_timed(Message& message, Request& request);
    /// Takes the 64 bytes of line `index` of the request.
    static void deliver(Request& request, unsigned index, const std::uint8_t* line);
    /// Completes the response; all lines have been delivered.
    void finish(Message& message, Request& request);
    /// What a message that was executed or finished writes to memory (SMP-259).
    static std::span<const media::MemoryBlock::Line> written(const Request& request) {
        const Decoded* const d = request.decoded;
        const bool writes = d && d->direct && d->row->kind == Kind::Scale && request.media;
        return writes ? std::span(std::as_const(request.media->block.lines))
                      : std::span<const media::MemoryBlock::Line>();
    }

    /// The render target takes results (SMP-122); otherwise such messages are reported.
    void reach_target() { reaches_target_ = true; }
    /// Do the results of a message that was executed or finished go to the render target?
    static bool writes_target(const Message& message, const Request& request) {
        return request.for_target && message.status == MessageStatus::Ok;
    }

    /// From now on usual messages go the general way as well: for who compares the two.
    void go_general_way(bool on) { general_way_ = on; }

    /// Forgets surface and sampler states (state cache invalidation).
    void invalidate_states();
    /// Forgets host pointers of pages.
    void invalidate_pages();

  private:
    const SampledSurface* find_surface(const Message& message, const Decoded& decoded);
    void forget_samplers();
    const SamplerState* find_sampler(const Message& message, const Request& request);
    bool find_states(Message& message, Request& request);
    bool begin(Message& message, Request& request, Work& work);
    bool begin_media(Message& message, Request& request);
    media::Verdict find_destination(Message& message, Request& request);
    media::Verdict plan_grid(Message& message, Request& request);
    media::Verdict plan_scaling(const Message& message, Request& request);
    const media::ScalerState* find_scaler(const Message& message, const Request& request);
    void finish_media(Message& message, Request& request);
    void execute_media(Message& message, Request& request, TexelMemory& memory);
    static void list_media_lines(Request& request);
    void finish_media_by_lines(Message& message, Request& request);
    void forget_scalers();
    static const SamplerTables* tables_of(const Message& message);
    static void find_key(Request& request);
    /// Makes the taps; `usual`: of these places.
    void find_texels(Message& message, Request& request, const UsualPlaces* usual);
    /// Reads all parameters of a site's message.
    static void read_all(const UsualSite& site, const SiteMessage& message, Request& request);
    bool execute_by_lane(const UsualSite& site, const SiteMessage& message, Request& request,
                         TexelMemory& memory);
    UsualCoordinates read_site(const UsualSite& site, const SiteMessage& message, Request& request);
    bool filter_at_once(const Request& request, const UsualForm& form, const UsualPlaces& places,
                        TexelMemory& memory, TexelLanes& results);
    enum class Blocks : std::uint8_t { InMemory, Clear, Several };
    Blocks find_blocks(const SampledSurface& surface, const UsualPlaces& places,
                       TexelMemory& memory);
    static void list_lines(Request& request);
    bool execute_by_lane(Message& message, Request& request, TexelMemory& memory);
    /// Filters the taps' texels out of `memory`.
    void read(Request& request, TexelMemory& memory);
    void answer_query(Request& request);
    Work refuse(Message& message, const Decoded& decoded, const char* guest_error,
                const char* not_modelled);
    void count(const Request& request);
    void check_headerless(const Message& message);
    void write(Message& message, const Request& request);
    void write(Message& message, const Request& request, const TexelLanes& results);

    /// Reads elements of control surfaces, by lines.
    class ControlLines : public ClearBlocks {
      public:
        ControlLines(surface::StateReader& reader, Reporter& reporter)
            : reader_(reader), reporter_(reporter) {}
        bool is_clear(const SampledSurface& surface, unsigned level, std::uint32_t slice,
                      std::uint32_t x, std::uint32_t y) override;
        /// Another message begins, and memory may have changed.
        void forget() { line_ = ~0ull; }

      private:
        surface::StateReader& reader_;
        Reporter& reporter_;
        std::uint64_t line_ = ~0ull;
        std::array<std::uint8_t, Request::kLine> bytes_{};
    };

    struct SamplerEntry {
        std::uint64_t address = ~0ull;
        std::uint32_t number = 0;  ///< of the bases
        SamplerState state;
    };
    struct ScalerEntry {
        std::uint64_t address = ~0ull;
        std::uint32_t number = 0;  ///< of the bases
        media::ScalerState state;
    };
    Reporter& reporter_;
    SamplerStats& stats_;
    surface::StateReader& reader_;
    ControlLines control_lines_;
    const bool bindless_samplers_;
    bool general_way_ = false, reaches_target_ = false;
    DecodeCache decodes_;
    surface::Resolver<SampledSurface, read_sampled_surface> surfaces_;
    std::array<SamplerEntry, 64> samplers_;
    FilledPlaces filled_samplers_{samplers_.size()};
    std::uint64_t sampler_changes_ = 0;  ///< grows with each change of these
    surface::Resolver<surface::MediaSurface, surface::read_media_surface> pictures_;
    std::array<ScalerEntry, 4> scalers_;
    surface::Resolver<media::Destination, media::read_destination> destinations_;
    Pages pages_;
};

}  // namespace gen9::sampler
