// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <stdexcept>
#include <vector>

#include "packets/sampler_state.h"
#include "packets/surface_state.h"
#include "sampler/core.h"
#include "tests/support/zeroed_memory.h"

namespace gen9::sampler::test {

namespace surface_state = packets::render_surface_state;
namespace sampler_state = packets::sampler_state;

/// Flat memory from address 0x100000 on, for states and texels.
class FlatMemory final : public surface::StateReader, public TexelMemory {
  public:
    static constexpr std::uint64_t kBase = 0x100000, kSize = 0x800000;
    bool grant = true;  ///< direct access
    unsigned reads = 0, state_reads = 0;
    std::uint64_t last_state = 0;  ///< address that was read last
    bool scatter = false;          ///< pages that follow one another do not in the host
    std::map<std::uint64_t, std::vector<std::uint8_t>> copies;
    gen9::test::ZeroedMemory bytes{kSize};

    bool holds(std::uint64_t address, std::uint64_t size) const {
        return address >= kBase && address + size <= kBase + kSize;
    }
    std::uint8_t* at(std::uint64_t address) { return bytes.data() + (address - kBase); }
    bool read_state(GpuAddr address, void* to, unsigned size, std::uint8_t) override {
        ++state_reads;
        last_state = address.value;
        if (!holds(address.value, size)) return false;
        std::memcpy(to, at(address.value), size);
        return true;
    }
    const std::uint8_t* direct(std::uint64_t page) override {
        if (!grant || !holds(page, kPageBytes)) return nullptr;
        if (!scatter) return at(page);
        auto& copy = copies[page];
        copy.assign(kPageBytes + 16, 0xEE);
        std::memcpy(copy.data(), at(page), kPageBytes);
        return copy.data();
    }
    void read(std::uint64_t address, void* to, unsigned size) override {
        ++reads;
        if (address / 64 != (address + size - 1) / 64)
            throw std::logic_error("a read of two lines");
        if (holds(address, size))
            std::memcpy(to, at(address), size);
        else
            std::memset(to, 0, size);
    }
};

/// What a message returned: values by channel and sample, and which were written.
struct Answer {
    MessageStatus status = MessageStatus::Pending;
    std::array<std::array<std::uint32_t, 16>, 4> bits{};
    float number(unsigned channel, unsigned sample) const {
        return std::bit_cast<float>(bits[channel][sample]);
    }
    std::array<float, 4> color(unsigned sample = 0) const {
        return {number(0, sample), number(1, sample), number(2, sample), number(3, sample)};
    }
    std::array<std::uint32_t, 4> integers(unsigned sample = 0) const {
        return {bits[0][sample], bits[1][sample], bits[2][sample], bits[3][sample]};
    }
};

enum Code : unsigned {
    kSample = 0x00,
    kSampleB = 0x01,
    kSampleL = 0x02,
    kSampleC = 0x03,
    kSampleD = 0x04,
    kSampleLC = 0x06,
    kLd = 0x07,
    kGather4 = 0x08,
    kLod = 0x09,
    kResInfo = 0x0A,
    kSampleInfo = 0x0B,
    kKillPix = 0x0C,
    kGather4C = 0x10,
    kGather4Po = 0x11,
    kGather4PoC = 0x12,
    kSampleMin = 0x16,
    kSampleMax = 0x17,
    kSampleLz = 0x18,
    kSampleCLz = 0x19,
    kLdLz = 0x1A,
    kLd2dmsW = 0x1C,
    kLdMcs = 0x1D,
    kLd2dms = 0x1E,
    kLd2dss = 0x1F,
};
inline std::uint32_t f(float value) {
    return std::bit_cast<std::uint32_t>(value);
}

/// A sampler core with one surface and one sampler, whose states a test writes.
class Bench {
  public:
    static constexpr std::uint64_t kStates = FlatMemory::kBase;
    static constexpr std::uint64_t kSurface = 0x1000, kSampler = 0x2000, kBorder = 0x3000;
    static constexpr std::uint64_t kTexels = FlatMemory::kBase + 0x100000;

    FlatMemory memory;
    Reporter reporter;
    SamplerStats stats{"sampler"};
    Core core;
    std::array<std::uint32_t, 16> surface{};
    std::array<std::uint32_t, 4> sampler{};
    std::unique_ptr<Request> request = std::make_unique<Request>();
    Message message;
    bool by_lines = false;  ///< texels come line by line, as in timed mode

    explicit Bench(bool bindless_samplers = false)
        : core(reporter, stats, memory, bindless_samplers) {
        reporter.log = [](const std::string&) {};
        auto state = std::make_shared<PipelineState>();
        state->surface_state_base = GpuAddr(kStates);
        state->dynamic_state_base = GpuAddr(kStates);
        state->bindless_surface_base = GpuAddr(kStates);
        state->bindless_surface_count = 0x1000;
        sender.state = state;
        set(surface_state::ShaderChannelSelectRed, surface_state::SCS_RED);
        set(surface_state::ShaderChannelSelectGreen, surface_state::SCS_GREEN);
        set(surface_state::ShaderChannelSelectBlue, surface_state::SCS_BLUE);
        set(surface_state::ShaderChannelSelectAlpha, surface_state::SCS_ALPHA);
        set(surface_state::SurfaceHorizontalAlignment, 1);
        set(surface_state::SurfaceVerticalAlignment, 1);
        set(surface_state::CubeFaceEnables, 0x3F);
        set(surface_state::SurfaceBaseAddress, kTexels);
        set_sampler(sampler_state::MaxLOD, 14 * 256);
        set_sampler(sampler_state::BorderColorPointer, kBorder);
        for (const auto* mode :
             {&sampler_state::TCXAddressControlMode, &sampler_state::TCYAddressControlMode,
              &sampler_state::TCZAddressControlMode})
            set_sampler(*mode, 2);
    }
    void set(const packets::Field& field, std::uint64_t value) { field.set(surface, value); }
    void set_sampler(const packets::Field& field, std::uint64_t value) {
        field.set(sampler, value);
    }
    /// A linear surface; `depth` of arrays or volumes; the pitch holds its columns.
    void shape(surface_state::Type type, unsigned format, unsigned width, unsigned height,
               unsigned depth, unsigned pitch_bytes) {
        set(surface_state::SurfaceType, type);
        set(surface_state::SurfaceFormat, format);
        set(surface_state::Width, width - 1);
        set(surface_state::Height, height - 1);
        set(surface_state::Depth, depth - 1);
        set(surface_state::SurfacePitch, pitch_bytes - 1);
    }
    void modes(unsigned x, unsigned y, unsigned z) {
        set_sampler(sampler_state::TCXAddressControlMode, x);
        set_sampler(sampler_state::TCYAddressControlMode, y);
        set_sampler(sampler_state::TCZAddressControlMode, z);
    }
    void filters(unsigned min, unsigned mag, unsigned mip = 0) {
        set_sampler(sampler_state::MinModeFilter, min);
        set_sampler(sampler_state::MagModeFilter, mag);
        set_sampler(sampler_state::MipModeFilter, mip);
    }
    void border(std::initializer_list<std::uint32_t> channels) {
        std::memcpy(memory.at(kStates + kBorder), std::data(channels), channels.size() * 4);
    }
    template <class T>
    void put(std::uint64_t offset, T value) {
        store(memory.at(kTexels + offset), value);
    }

    struct Options {
        unsigned simd = 1;  ///< mode code: 0 SIMD4x2, 1 SIMD8, 2 SIMD16
        std::uint32_t mask = 0xFFFF;
        std::uint32_t header2 = 0;  ///< M0.2
        bool header = true;
        bool half = false;
        unsigned binding = 0, index = 0;
        int response = -1;  ///< registers; -1: what the header's mask asks for
        std::uint32_t extended = 2;
    };
    /// Builds the message; `params` are the parameters in order, each with a value a sample.
    void build(unsigned code, const std::vector<std::vector<std::uint32_t>>& params,
               const Options& o) {
        message.reset();
        message.sfid = Sfid::Sampler;
        message.sender = &sender;
        message.execution_mask = o.mask;
        message.header_present = o.header;
        message.extended_descriptor = o.extended;
        for (Grf& grf : message.payload)
            grf = Grf{};
        unsigned at = 0;
        if (o.header) {
            const std::uint32_t header2 = o.header2 | (o.simd == 0 ? 1u << 22 : 0);
            store(message.payload[0].bytes + 8, header2);
            store(message.payload[0].bytes + 12, static_cast<std::uint32_t>(kSampler) | 5);
            at = 1;
        }
        const unsigned registers = o.simd == 2 ? 2 : 1;
        for (unsigned n = 0; n < params.size(); ++n)
            for (unsigned i = 0; i < std::min<std::size_t>(params[n].size(), o.simd ? 16 : 2);
                 ++i) {
                if (o.simd == 0)
                    store(message.payload[at + n / 4].bytes + 16 * i + n % 4 * 4, params[n][i]);
                else
                    store(message.payload[at + n * registers + i / 8].bytes + i % 8 * 4,
                          params[n][i]);
            }
        message.length = static_cast<std::uint8_t>(
            at + (o.simd == 0 ? (params.size() + 3) / 4 : params.size() * registers));
        const unsigned channels = 4u - static_cast<unsigned>(std::popcount(o.header2 >> 12 & 15u));
        const unsigned each = o.simd == 2 && !o.half ? 2 : 1;
        const unsigned masks = (code == kKillPix) + (o.header2 >> 23 & 1);
        message.response_length = static_cast<std::uint8_t>(
            o.response >= 0 ? static_cast<unsigned>(o.response)
                            : (o.simd == 0 ? 1 : channels * each) + masks);
        message.descriptor = (o.half ? 1u << 30 : 0) | message.length << 25u |
                             static_cast<std::uint32_t>(message.response_length) << 20 |
                             (o.header ? 1u << 19 : 0) | o.simd << 17 | code << 12 | o.index << 8 |
                             o.binding;
        for (Grf& grf : message.response)
            std::memset(grf.bytes, 0xCD, sizeof grf.bytes);
    }
    /// Writes the states, forgets old ones, sends the message.
    Answer send(unsigned code, const std::vector<std::vector<std::uint32_t>>& params) {
        return send(code, params, Options{});
    }
    Answer send(unsigned code, const std::vector<std::vector<std::uint32_t>>& params,
                const Options& o) {
        write_states();
        core.invalidate_states();
        build(code, params, o);
        return run(o);
    }
    void write_states() {
        const std::uint32_t pointer = kSurface;
        std::memcpy(memory.at(kStates), &pointer, 4);
        std::memcpy(memory.at(kStates + kSurface), surface.data(), sizeof surface);
        std::memcpy(memory.at(kStates + kSampler), sampler.data(), sizeof sampler);
    }
    Answer run(const Options& o) {
        if (!by_lines) {
            core.execute(message, *request, memory);
            return read_answer(o);
        }
        if (core.begin_timed(message, *request) == Core::Work::Texels) {
            for (unsigned i = 0; i < request->line_count; ++i) {
                std::uint8_t line[64]{};
                const std::uint64_t address = request->lines[i] * 64;
                if (memory.holds(address, 64)) std::memcpy(line, memory.at(address), 64);
                Core::deliver(*request, i, line);
            }
            core.finish(message, *request);
        }
        return read_answer(o);
    }
    Answer read_answer(const Options& o) const {
        Answer answer;
        answer.status = message.status;
        unsigned at = 0;
        for (unsigned c = 0; c < 4; ++c) {
            if (o.simd == 0) {
                for (unsigned n = 0; n < 2; ++n)
                    answer.bits[c][n] =
                        load<std::uint32_t>(message.response[0].bytes + 16 * n + 4 * c);
                continue;
            }
            if (o.header2 >> (12 + c) & 1) continue;
            const unsigned samples = o.simd == 2 ? 16 : 8;
            for (unsigned n = 0; n < samples; ++n)
                answer.bits[c][n] =
                    o.half ? load<std::uint16_t>(message.response[at].bytes + 2 * n)
                           : load<std::uint32_t>(message.response[at + n / 8].bytes + n % 8 * 4);
            at += o.simd == 2 && !o.half ? 2 : 1;
        }
        return answer;
    }

    ThreadSideband sender;
};

/// The same value for all samples.
inline std::vector<std::uint32_t> all(float value) {
    return std::vector<std::uint32_t>(16, f(value));
}
inline std::vector<std::uint32_t> all_of(std::uint32_t value) {
    return std::vector<std::uint32_t>(16, value);
}

}  // namespace gen9::sampler::test
