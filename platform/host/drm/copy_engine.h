// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "surface/tiling.h"

namespace gen9::drm {

/// The copy engine, and as much of the video engines as shows when their work is done.
/// Role     follows a batch; carries out copies, fills and writes of single values; passes over all
///          else, and says so once. Without time: a batch is carried out at once.
/// Not here clipping, patterns, raster operations but copy and fill; what video engines compute
/// Spec     Public: Intel's PRM of Skylake, volumes 2a (MI commands) and 10 (copy engine); Linux
///          i915 (BCS_SWCTRL)
class CopyEngine {
  public:
    struct Memory {
        /// Bytes of the program at an address, to the end of its buffer; none: nothing is there.
        std::function<std::span<std::uint8_t>(std::uint64_t address)> at;
        std::function<std::uint64_t()> timestamp;
        /// A semaphore does not pass: true some time later, false if the batch is to be given up.
        /// It waits for `what`.
        std::function<bool(const std::string& what)> wait_for_host = [](const std::string&) {
            return false;
        };
        std::function<void()> waited = [] {};  ///< it has passed
    };
    /// `say`: called at most once for each kind of thing that is not carried out.
    CopyEngine(Memory memory, std::function<void(const std::string&)> say)
        : memory_(std::move(memory)), say_(std::move(say)) {}

    /// False: the batch leads nowhere, or has no end.
    bool run(std::uint64_t batch);

  private:
    enum Topic : unsigned { kNoMemory, kNotModelled, kPassedOver };
    struct Plane {
        std::uint64_t base = 0;
        surface::Layout layout;
        std::span<std::uint8_t> pixel(std::int64_t x, std::int64_t y, unsigned bytes,
                                      CopyEngine& engine) const;
    };
    struct Rectangle {
        std::int16_t left, top, right, bottom;
    };
    using Words = std::span<const std::uint32_t>;
    std::span<std::uint8_t> bytes_at(std::uint64_t address, std::size_t bytes);
    void carry_out(Words command);
    void memory_interface(Words command);
    void pass_over(std::uint32_t header);
    bool wait_at_semaphore(Words command);
    void write(std::uint64_t address, std::uint64_t value, std::size_t bytes);
    void copy(Words command, bool fast);
    void fill(Words command);
    void copy_rows(const Plane& from, const Plane& to, Rectangle rectangle, std::int64_t dx,
                   std::int64_t dy, unsigned bytes, std::uint32_t mask);
    void say(Topic topic, const std::string& text);

    Memory memory_;
    std::function<void(const std::string&)> say_;
    std::span<std::uint8_t> last_;  ///< memory found last, and its address
    std::uint64_t last_address_ = 0;
    unsigned said_ = 0;
    bool y_source_ = false, y_destination_ = false;  ///< BCS_SWCTRL: tiles are TileY, not TileX
};

}  // namespace gen9::drm
