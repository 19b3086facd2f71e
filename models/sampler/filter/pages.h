// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <cstring>

#include "common/filled_places.h"
#include "common/units.h"
#include "interconnect/payload/stretch.h"

namespace gen9::sampler {

inline constexpr std::uint64_t kAddressMask = (std::uint64_t{1} << 48) - 1;

/// Host memory behind the texels of a message, when it may be read directly.
class TexelMemory {
  public:
    virtual ~TexelMemory() = default;
    /// The page that begins at an address, or null when it cannot be read directly.
    virtual const std::uint8_t* direct(std::uint64_t page_address) = 0;
    /// Reads bytes of one line; zeros where nothing is mapped.
    virtual void read(std::uint64_t address, void* bytes, unsigned size) = 0;
    /// Was something asked for that it does not give now? Nothing may then come of the message.
    virtual bool lacks() const { return false; }
};

/// Gives nothing: what a message needs is at hand, or it is not carried out.
class NoMemory final : public TexelMemory {
  public:
    const std::uint8_t* direct(std::uint64_t) override {
        asked_ = true;
        return nullptr;
    }
    void read(std::uint64_t, void* bytes, unsigned size) override {
        asked_ = true;
        std::memset(bytes, 0, size);
    }
    bool lacks() const override { return asked_; }

  private:
    bool asked_ = false;
};

/// Host memory behind a surface, as far as its messages have found it to be in one piece.
struct SurfaceMemory {
    Stretch stretch;
    unsigned missed = 0;  ///< messages with texels outside
};

/// Keeps which host memory is behind a page.
class Pages {
  public:
    static constexpr std::uint64_t kBytes = kPageBytes;
    /// The host memory of page number `page`, or null.
    const std::uint8_t* find(std::uint64_t page, TexelMemory& memory) {
        Entry& entry = entries_[page % entries_.size()];
        if (entry.page != page) [[unlikely]] {
            const std::uint8_t* const host = memory.direct(page * kBytes);
            if (memory.lacks()) return nullptr;
            entry.host = host;
            entry.page = entry.host ? page : ~0ull;
            filled_.add(page % entries_.size());
        }
        return entry.host;
    }
    /// The host memory that messages of a surface at `base` have found. Surfaces may share a record.
    SurfaceMemory& of_surface(std::uint64_t base) {
        return surfaces_[(base / kBytes * 0x9E3779B97F4A7C15ull) >> 60];
    }
    void forget() {
        filled_.empty([this](std::size_t place) { entries_[place] = {}; });
        surfaces_ = {};
    }

  private:
    struct Entry {
        std::uint64_t page = ~0ull;
        const std::uint8_t* host = nullptr;
    };
    std::array<Entry, 1024> entries_;
    FilledPlaces filled_{entries_.size()};
    std::array<SurfaceMemory, 16> surfaces_;
};

}  // namespace gen9::sampler
