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
/// Bounds   steps of a batch are its pixels, each time that one is read or written; a row of a
///          rectangle and a command are some more, as they cost the host. There are
///          kMaxSteps of them at most, and every kStepsBetweenLooks of them somebody is asked
///          whether the engine is to go on.
/// Not here clipping, patterns, raster operations but copy and fill; what video engines compute
/// Spec     Public: Intel's PRM of Skylake, volumes 2a (MI commands) and 10 (copy engine); Linux
///          i915 (BCS_SWCTRL)
class CopyEngine {
  public:
    /// Enough for a copy of 16 GB in pixels of 8 bytes.
    static constexpr std::uint64_t kMaxSteps = std::uint64_t{1} << 32;
    struct Memory {
        /// Bytes of the program at an address, to the end of its buffer; none: nothing is there.
        std::function<std::span<std::uint8_t>(std::uint64_t address)> at;
        std::function<std::uint64_t()> timestamp;
        /// After so many steps more: is the engine to go on?
        std::function<bool(std::uint64_t steps)> goes_on = [](std::uint64_t) { return true; };
        std::uint64_t max_steps = kMaxSteps;  ///< of a batch
        /// A semaphore does not pass: true some time later, false if the batch is to be given up.
        /// It waits for `what`.
        std::function<bool(const std::string& what)> wait_for_host = [](const std::string&) {
            return false;
        };
        std::function<void()> waited = [] {};  ///< it has passed
    };
    static constexpr std::uint64_t kStepsOfCommand = 64, kStepsOfRow = 32;
    static constexpr std::uint64_t kStepsBetweenLooks = 1 << 18;
    /// `say`: called at most once for each kind of thing that is not carried out.
    CopyEngine(Memory memory, std::function<void(const std::string&)> say)
        : memory_(std::move(memory)), say_(std::move(say)) {}

    enum class End : std::uint8_t {
        Whole,
        Nowhere,  ///< it leads to where there is no memory, or is no batch
        Endless,  ///< it has more than kMaxSteps steps
        Stopped   ///< it was not to go on
    };
    End run(std::uint64_t batch);

  private:
    enum Topic : unsigned { kNoMemory, kNotModelled, kPassedOver };
    struct Plane {
        std::uint64_t base = 0;
        surface::Layout layout;
        std::uint8_t pixel_bytes = 1;
        /// Memory of the pixels from x on, at most `count`, that lie one after the other in one
        /// piece; none: there is no memory.
        std::span<std::uint8_t> pixels(std::int64_t x, std::int64_t y, std::int64_t count,
                                       CopyEngine& engine) const;
    };
    struct Rectangle {
        std::int16_t left, top, right, bottom;
    };
    using Words = std::span<const std::uint32_t>;
    std::span<std::uint8_t> bytes_at(std::uint64_t address, std::size_t bytes, std::size_t most);
    std::span<std::uint8_t> bytes_at(std::uint64_t address, std::size_t bytes) {
        return bytes_at(address, bytes, bytes);
    }
    /// Counts steps; false: the batch ends here.
    bool step(std::uint64_t count);
    End follow(std::uint64_t batch);
    void carry_out(Words command);
    void memory_interface(Words command);
    void pass_over(std::uint32_t header);
    bool wait_at_semaphore(Words command);
    void write(std::uint64_t address, std::uint64_t value, std::size_t bytes);
    void copy(Words command, bool fast);
    void fill(Words command);
    void copy_rows(const Plane& from, const Plane& to, Rectangle rectangle, std::int64_t dx,
                   std::int64_t dy, std::uint32_t mask);
    void say(Topic topic, const std::string& text);

    Memory memory_;
    std::function<void(const std::string&)> say_;
    std::span<std::uint8_t> last_;  ///< memory found last, and its address
    std::uint64_t last_address_ = 0;
    std::uint64_t steps_ = 0;   ///< of the batch
    std::uint64_t untold_ = 0;  ///< steps since somebody was asked last
    End end_ = End::Whole;      ///< of the batch, as far as is known
    unsigned said_ = 0;
    bool y_source_ = false, y_destination_ = false;  ///< BCS_SWCTRL: tiles are TileY, not TileX
};

}  // namespace gen9::drm
