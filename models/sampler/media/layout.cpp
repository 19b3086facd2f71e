// SPDX-License-Identifier: Apache-2.0
#include "sampler/media/layout.h"

namespace gen9::sampler::media {

namespace {

namespace payload_rows = packets::MEDIA_SAMPLER_PAYLOAD;
using enum packets::MEDIA_SAMPLER_HEADER::OutputFormatControlMode;

constexpr unsigned kRegister = kGrfBytes;
constexpr unsigned kRows = 4;  ///< of a part

bool chroma(unsigned channel) {
    return channel == kRed || channel == kBlue;
}

/// Four rows of 8 or 16 columns, which are written together. A shuffled block consists of parts of 8
/// columns, as sample_unorm's does; another of parts of 16.
class Part {
  public:
    Part(const Inputs& in, unsigned columns) : in_(in), columns_(columns) {}

    unsigned registers() const {
        unsigned count = shared() ? 1 : 0;
        for (unsigned c = 0; c < 4; ++c)
            if (in_.channels >> c & 1 && !(shared() && chroma(c))) count += of_channel(c);
        return count;
    }
    /// Registers from `first` on; the part's pixels begin at `x` and `y`. Returns those behind it.
    unsigned write(Message& message, unsigned first, const Results& results, unsigned x,
                   unsigned y) const {
        // SMP-239: blue is in the register's low half, red in its high half.
        if (shared()) {
            write_channel(message, first, 0, results, kBlue, x, y);
            write_channel(message, first, kRegister / 2, results, kRed, x, y);
            ++first;
        }
        for (unsigned c = 0; c < 4; ++c) {
            if (!(in_.channels >> c & 1) || (shared() && chroma(c))) continue;
            write_channel(message, first, 0, results, c, x, y);
            first += of_channel(c);
        }
        return first;
    }

  private:
    bool bytes() const { return in_.form == FULL_8 || in_.form == CHROMINANCE_DOWNSAMPLED_8; }
    /// Red and blue without their odd pixels.
    bool downsampled() const {
        return in_.form == CHROMINANCE_DOWNSAMPLED_16 || in_.form == CHROMINANCE_DOWNSAMPLED_8;
    }
    /// Red and blue have one register together.
    bool shared() const {
        return in_.form == CHROMINANCE_DOWNSAMPLED_8 && columns_ == 8 &&
               (in_.channels & (1u << kRed | 1u << kBlue));
    }
    unsigned of_channel(unsigned c) const {
        const unsigned pixels = columns_ * kRows / (downsampled() && chroma(c) ? 2 : 1);
        return pixels * (bytes() ? 1 : 2) / kRegister;
    }
    void write_channel(Message& message, unsigned first, unsigned at, const Results& results,
                       unsigned c, unsigned x, unsigned y) const {
        if (!(in_.channels >> c & 1)) return;
        const unsigned step = downsampled() && chroma(c) ? 2 : 1, size = bytes() ? 1 : 2;
        for (unsigned row = 0; row < kRows; ++row)
            for (unsigned column = 0; column < columns_; column += step, at += size) {
                if (x + column >= in_.width()) continue;  // a block of 4x4
                const std::uint16_t value =
                    results.channel[c][(y + row) * in_.width() + x + column];
                const unsigned reg = first + at / kRegister, byte = at % kRegister;
                if (bytes())
                    message.response[reg].bytes[byte] = static_cast<std::uint8_t>(value);
                else
                    store(message.response[reg].bytes + byte, value);
                message.response_enable[reg] |= ((1u << size) - 1) << byte;
            }
    }

    const Inputs& in_;
    const unsigned columns_;
};

/// Columns of a part. A block of 16x8 is two of 16x4, one after the other. A block of 4x4 has the
/// registers of one of 8x4, whose right half is not written (Assumed: no document shows it).
unsigned part_columns(const Inputs& in, bool shuffled) {
    return in.scales && !shuffled ? 16 : 8;
}

unsigned parts(const Inputs& in, unsigned columns) {
    const unsigned across = in.width() > columns ? in.width() / columns : 1;
    return across * (in.height() / kRows);
}

}  // namespace

unsigned registers_returned(const Inputs& in, bool shuffled) {
    const unsigned columns = part_columns(in, shuffled);
    return parts(in, columns) * Part(in, columns).registers() + (in.kills ? 1 : 0);
}

void write_back(Message& message, const Inputs& in, bool shuffled, const Results& results,
                std::uint32_t killed) {
    const unsigned columns = part_columns(in, shuffled);
    const Part part(in, columns);
    unsigned next = 0;
    for (unsigned y = 0; y < in.height(); y += kRows)
        for (unsigned x = 0; x < in.width(); x += columns)
            next = part.write(message, next, results, x, y);
    if (!in.kills) return;
    // SMP-240: the first pixel's bit is the highest.
    std::uint32_t alive = 0;
    for (unsigned p = 0; p < 32; ++p)
        if (!(killed >> p & 1)) alive |= 0x80000000u >> p;
    store(message.response[next].bytes, alive);
    message.response_enable[next] = 0xF;
}

}  // namespace gen9::sampler::media
