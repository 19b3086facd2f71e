// SPDX-License-Identifier: Apache-2.0
// Decoders of all formats: they read their elements and nothing behind them, and those of 16 lanes
// make of each what the one of single texels does.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <random>
#include <string>

#include "sampler/format/gather.h"
#include "tests/unit/sampler/two_ways.h"

namespace gen9::sampler::decoders {
namespace {
using namespace test;

/// Memory that ends where no more is mapped.
class Guarded {
  public:
    Guarded()
        : size_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))),
          bytes_(static_cast<std::uint8_t*>(mmap(nullptr, 2 * size_, PROT_READ | PROT_WRITE,
                                                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
        mprotect(bytes_ + size_, size_, PROT_NONE);
    }
    ~Guarded() { munmap(bytes_, 2 * size_); }
    Guarded(const Guarded&) = delete;
    Guarded& operator=(const Guarded&) = delete;
    std::uint8_t* end() { return bytes_ + size_; }

  private:
    std::size_t size_;
    std::uint8_t* bytes_;
};

TEST(Decoders, AnElementMayBeTheLastBytesOfMemory) {
    std::mt19937 random(41);
    Guarded memory;
    std::uint8_t elsewhere[32];
    unsigned formats = 0;
    for (const bool astc : {false, true})
        for (unsigned code = 0; code < 512; ++code) {
            const Format* const format = find_format(code, astc);
            if (!format || !format->decode) continue;
            ++formats;
            for (unsigned trial = 0; trial < 8; ++trial) {
                for (std::uint8_t& byte : elsewhere)
                    byte = static_cast<std::uint8_t>(random());
                std::copy_n(elsewhere, format->bytes, memory.end() - format->bytes);
                Source at_end{memory.end() - format->bytes,
                              static_cast<std::uint8_t>(random() % format->block_width),
                              static_cast<std::uint8_t>(random() % format->block_height)};
                Source other = at_end;
                other.bytes = elsewhere;
                Texel last, wanted;
                format->decode(&at_end, 1, &last);
                format->decode(&other, 1, &wanted);
                ASSERT_EQ(last.channel, wanted.channel) << format->name;
            }
        }
    EXPECT_GT(formats, 170u);
}

/// Elements of 16 samples or more, one after the other from the last on, and what they are.
struct Elements {
    std::vector<std::uint32_t> at;
    std::vector<Texel> texels;
    const std::uint8_t* base;
    Elements(Guarded& memory, const Format& format, unsigned count, std::mt19937& random)
        : at(count), texels(count), base(memory.end() - std::size_t{count} * format.bytes) {
        for (std::uint8_t* byte = memory.end() - std::size_t{count} * format.bytes;
             byte != memory.end(); ++byte)
            *byte = static_cast<std::uint8_t>(random());
        for (unsigned n = 0; n < count; ++n) {
            at[n] = (count - 1 - n) * format.bytes;
            const Source source{base + at[n], 0, 0};
            format.decode(&source, 1, &texels[n]);
        }
    }
};

TEST(Decoders, LanesAreWhatSingleTexelsAre) {
    std::mt19937 random(4);
    Guarded memory;
    unsigned formats = 0;
    for (unsigned code = 0; code < 512; ++code) {
        const Format* const format = find_format(code, false);
        if (!format || !format->decode.lanes) continue;
        ++formats;
        for (unsigned trial = 0; trial < 20; ++trial) {
            const Elements elements(memory, *format, 16, random);
            TexelLanes lanes;
            format->decode.lanes(elements.base, elements.at.data(), lanes);
            for (unsigned n = 0; n < 16; ++n)
                for (unsigned c = 0; c < 4; ++c)
                    ASSERT_EQ(elements.texels[n].channel[c], lanes.channel[c][n]) << format->name;
        }
    }
    EXPECT_GT(formats, 110u);
}

/// The sum of the texels' shares of a channel, in order; what has none does not touch it, and what
/// has the whole is it.
std::uint32_t filtered(const float (&share)[4], const std::uint32_t (&value)[4]) {
    float sum = 0;
    for (unsigned k = 0; k < 4; ++k) {
        if (share[k] == 1) return value[k];
        if (share[k] > 0) sum += share[k] * std::bit_cast<float>(value[k]);
    }
    return std::bit_cast<std::uint32_t>(sum);
}

TEST(Decoders, FilteredLanesAreSumsOfSingleTexels) {
    std::mt19937 random(42);
    Guarded memory;
    unsigned formats = 0;
    for (unsigned code = 0; code < 512; ++code) {
        const Format* const format = find_format(code, false);
        if (!format || !format->decode.lanes) continue;
        ASSERT_EQ(format->decode.filter == nullptr, format->integer()) << format->name;
        if (format->integer()) continue;
        ++formats;
        for (unsigned trial = 0; trial < 20; ++trial) {
            const Elements elements(memory, *format, 64, random);
            std::array<std::uint32_t, 16> at[4];
            std::copy_n(elements.at.data(), 64, at[0].data());
            float x[16], y[16];
            for (unsigned n = 0; n < 16; ++n) {
                x[n] = random() % 4 ? static_cast<float>(random() % 256) / 256 : 0;
                y[n] = random() % 4 ? static_cast<float>(random() % 256) / 256 : 0;
            }
            TexelLanes results;
            format->decode.filter({elements.base, at, x, y}, results);
            for (unsigned n = 0; n < 16; ++n)
                for (unsigned c = 0; c < 4; ++c) {
                    const float shares[] = {(1 - y[n]) * (1 - x[n]), (1 - y[n]) * x[n],
                                            y[n] * (1 - x[n]), y[n] * x[n]};
                    const std::uint32_t wanted = filtered(
                        shares,
                        {elements.texels[n].channel[c], elements.texels[16 + n].channel[c],
                         elements.texels[32 + n].channel[c], elements.texels[48 + n].channel[c]});
                    const std::uint32_t got = results.channel[c][n];
                    ASSERT_TRUE(got == wanted || (is_nan(got, false) && is_nan(wanted, false)))
                        << format->name << " channel " << c << ": " << std::hex << got << ", "
                        << wanted;
                }
        }
    }
    EXPECT_GT(formats, 70u);
}

// Of hosts with instructions for it and of others.
TEST(Decoders, ADWordOfEachPlaceIsLoaded) {
    std::mt19937 random(5);
    std::vector<std::uint8_t> bytes(0x10000);
    for (std::uint8_t& byte : bytes)
        byte = static_cast<std::uint8_t>(random());
    for (const GatherFour gather : {gather_four, GatherFour{gather_plainly}}) {
        std::array<std::uint32_t, 16> at[4], words[4];
        for (auto& place : at)
            for (std::uint32_t& offset : place)
                offset = static_cast<std::uint32_t>(random()) % (0x10000 - 3);
        gather(bytes.data(), at, words);
        for (unsigned k = 0; k < 4; ++k)
            for (unsigned n = 0; n < 16; ++n)
                EXPECT_EQ(words[k][n], gen9::load<std::uint32_t>(bytes.data() + at[k][n]));
    }
}

}  // namespace
}  // namespace gen9::sampler::decoders
