// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <vector>

#include "common/report.h"
#include "surface/resolver.h"
#include "vme/check/skip.h"
#include "vme/message/inputs.h"
#include "vme/picture/patch.h"
#include "vme/refine/refine.h"
#include "vme/search/search.h"
#include "vme/stats.h"

namespace gen9::vme {

/// What there was to do for a message: its time follows from it.
struct Effort {
    std::uint64_t units = 0;        ///< search units, or units of a mesh
    std::uint64_t blocks = 0;       ///< 4x4 blocks that were predicted and measured
    std::uint64_t intra_sizes = 0;  ///< sizes of luma blocks that were predicted
    bool chroma = false, transform = false;
};

/// The lines of a message's pixels, and where they are found again.
class LineStore {
  public:
    void clear() {
        addresses_.clear();
        index_.clear();
    }
    /// Takes note of the line of an address.
    void add(std::uint64_t address);
    std::size_t size() const { return addresses_.size(); }
    /// The address of a line, in order of first use.
    std::uint64_t address(std::size_t index) const { return addresses_[index]; }
    void deliver(std::size_t index, const std::uint8_t* line);
    const std::uint8_t* find(std::uint64_t address) const;

  private:
    struct Line {
        std::uint8_t bytes[kLineBytes];
    };
    std::vector<std::uint64_t> addresses_;
    std::vector<Line> lines_;
    boost::unordered_flat_map<std::uint64_t, std::size_t> index_;
};

/// A message under way.
struct Request {
    Inputs in;
    std::vector<Patch> patches;  ///< those in use come first; their bytes are kept for the next one
    std::size_t patch_count = 0;
    const Patch *source = nullptr, *chroma = nullptr;
    std::array<const Patch*, 2> window{};
    std::vector<RefinePart> parts;
    std::vector<SkipBlock> skips;
    std::uint8_t mocs = 0;
    LineStore lines;  ///< of timed mode

    Request() { patches.resize(kMostPatches); }
    /// Source and chroma; each of 16 blocks in both directions.
    static constexpr std::size_t kMostPatches = 2 + 2 * 16;
};

/// Pixels that may be read directly.
class PixelMemory {
  public:
    virtual ~PixelMemory() = default;
    /// The byte at an address and those behind it in its line of 64; valid until the next call.
    virtual const std::uint8_t* pixels(std::uint64_t address) = 0;
};

/// Motion estimation and check-and-refinement of a subslice (core half).
/// Role     takes messages apart, finds their pictures, lists the pixels, makes the answer of them
/// Order    begin; then fill from a memory, or list_lines, deliver and fill; then finish
/// Not here when pixels come and how long the work takes (module.h)
/// Spec     VME-01..VME-74; 003:9145-10040, urb-gateway-pi-vme guide 2.4-2.8, 3.3
class Core {
  public:
    Core(Reporter& reporter, VmeStats& stats, surface::StateReader& reader)
        : reporter_(reporter), stats_(stats), reader_(reader) {}

    /// False: the message was refused; its response is complete. The request's pictures are kept
    /// until states are invalidated, so its patches are filled or listed before that.
    bool begin(Message& message, Request& request);
    static void fill(Request& request, PixelMemory& memory);
    /// Lists the lines of the pixels; when all are delivered, `fill` takes them.
    static void list_lines(Request& request);
    static void fill_from_lines(Request& request);
    /// Completes the response.
    Effort finish(Message& message, const Request& request);

    void invalidate_states() { pictures_.invalidate(); }

  private:
    bool refuse(Message& message, const Verdict& verdict);
    bool plan(Message& message, Request& request, Verdict& verdict);
    bool plan_search(Request& request, const ThreadSideband& sender, Verdict& verdict);
    bool plan_refinement(Message& message, Request& request, Verdict& verdict);
    bool plan_check(Message& message, Request& request, Verdict& verdict);
    /// The reference of a block in a direction (guide 3.3); null: `verdict` says why.
    const Picture* reference(const ThreadSideband& sender, const Inputs& in, unsigned block,
                             unsigned direction, Verdict& verdict);
    const Picture* picture(const ThreadSideband& sender, unsigned index, Verdict& verdict);
    /// The pixels of a reference around a block at a vector.
    const Patch* block_patch(Request& request, const Picture& reference, unsigned shape,
                             Vector vector, unsigned direction, std::int32_t reach);

    Effort search(Message& message, const Request& request);
    Effort check(Message& message, const Request& request);

    Reporter& reporter_;
    VmeStats& stats_;
    surface::StateReader& reader_;
    surface::Resolver<Picture, read_picture> pictures_;
};

}  // namespace gen9::vme
