// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstring>
#include <deque>
#include <memory>
#include <vector>

#include "common/bits.h"
#include "common/register_bytes.h"
#include "hdc/access/functional.h"
#include "hdc/core.h"
#include "hdc/plan/window.h"
#include "interconnect/payload/lane_access.h"
#include "packets/surface_state.h"
#include "tests/support/environment.h"
#include "tests/support/zeroed_memory.h"

namespace gen9::hdc::test {

/// Flat memory of 1 MB from address 0x100000 on, and 64 KB of SLM; counts what reaches the bus.
class FlatMemory final : public FunctionalMemory, public StateReader {
  public:
    static constexpr std::uint64_t kBase = 0x100000, kSize = 0x100000;
    bool grant = true;             ///< direct access
    DirectLines* lines = nullptr;  ///< where accesses are marked
    MemoryFacts asked_by;          ///< for the last page
    unsigned bus_accesses = 0, pages_asked = 0;
    std::uint8_t state_mocs = 0;  ///< of the last state read
    gen9::test::ZeroedMemory bytes{kSize}, slm_bytes{kSlmBytes};

    bool holds(std::uint64_t address, unsigned size) const {
        return address >= kBase && address + size <= kBase + kSize;
    }
    std::uint8_t* at(std::uint64_t address) { return bytes.data() + (address - kBase); }
    template <class T>
    T get(std::uint64_t address) {
        return load<T>(at(address));
    }
    template <class T>
    void put(std::uint64_t address, T value) {
        store(at(address), value);
    }

    DirectPage direct(std::uint64_t page, const MemoryFacts& facts) override {
        ++pages_asked;
        asked_by = facts;
        if (!grant || !holds(page, kPageBytes)) return {};
        return {at(page), true, lines};
    }
    std::uint8_t* slm(unsigned) override { return grant ? slm_bytes.data() : nullptr; }
    void by_requests(const Access& access, Message& message) override {
        for (unsigned i = 0; i < access.requests(); ++i) {
            ++bus_accesses;
            std::uint8_t line[64]{};
            LaneAccess lanes;
            const Access::Request out = access.request(i, message, line, lanes);
            const bool ok = access.slm() || holds(out.address, out.bytes);
            if (ok)
                perform(access.slm(), out, line, lanes);
            else
                std::memset(line, 0xEE, sizeof line), lanes.result.fill(~0ull);
            access.take(i, {ok, out.address, line, lanes}, message);
        }
    }
    void perform(bool in_slm, const Access::Request& out, std::uint8_t* line, LaneAccess& lanes) {
        if (in_slm) return perform_lanes(lanes, slm_bytes, 0);
        if (out.lanes) return perform_lanes(lanes, {at(out.address), out.bytes}, 0);
        for (unsigned i = 0; i < out.bytes; ++i) {
            if (out.reads)
                line[i] = at(out.address)[i];
            else if (out.written >> i & 1)
                at(out.address)[i] = line[i];
        }
    }
    bool read_state(GpuAddr address, void* to, unsigned size, std::uint8_t mocs) override {
        state_mocs = mocs;
        if (!holds(address.value, size)) return false;
        std::memcpy(to, at(address.value), size);
        return true;
    }
};

/// A surface state being written by a test.
struct SurfaceBits {
    std::uint32_t dwords[packets::render_surface_state::kDwords]{};
    SurfaceBits& set(const packets::Field& field, std::uint64_t value) {
        field.set(dwords, value);
        return *this;
    }
    static SurfaceBits buffer(std::uint64_t base, std::uint64_t size) {
        namespace state = packets::render_surface_state;
        SurfaceBits s;
        s.set(state::SurfaceType, state::SURFTYPE_BUFFER).set(state::SurfaceFormat, state::RAW);
        s.set(state::SurfaceBaseAddress, base);
        s.set(state::Width, (size - 1) & 0x7F)
            .set(state::Height, (size - 1) >> 7 & 0x3FFF)
            .set(state::Depth, (size - 1) >> 21);
        return s;
    }
    static SurfaceBits image(unsigned type, unsigned format, std::uint64_t base, unsigned width,
                             unsigned height, unsigned depth, unsigned pitch) {
        namespace state = packets::render_surface_state;
        SurfaceBits s;
        s.set(state::SurfaceType, type)
            .set(state::SurfaceFormat, format)
            .set(state::SurfaceBaseAddress, base);
        s.set(state::Width, width - 1).set(state::Height, height - 1).set(state::Depth, depth - 1);
        s.set(state::SurfacePitch, pitch - 1);
        s.set(state::ShaderChannelSelectRed, state::SCS_RED)
            .set(state::ShaderChannelSelectGreen, state::SCS_GREEN);
        s.set(state::ShaderChannelSelectBlue, state::SCS_BLUE)
            .set(state::ShaderChannelSelectAlpha, state::SCS_ALPHA);
        return s;
    }
};

/// A message being put together.
struct Send {
    Message message;
    Send(Sfid sfid, std::uint32_t descriptor, std::uint32_t mask = 0xFFFF) {
        message.sfid = sfid;
        message.descriptor = descriptor;
        message.header_present = descriptor >> 19 & 1;
        message.response_length = static_cast<std::uint8_t>(descriptor >> 20 & 31);
        message.execution_mask = mask;
        for (Grf& grf : message.payload)
            std::memset(grf.bytes, 0, kGrfBytes);
        for (Grf& grf : message.response)
            std::memset(grf.bytes, 0xEE, kGrfBytes);
    }
    /// Next registers of the payload from values; the length grows with them.
    template <class T>
    Send& add(const std::vector<T>& values) {
        std::memcpy(message.payload[message.length].bytes, values.data(),
                    values.size() * sizeof(T));
        message.length = static_cast<std::uint8_t>(
            message.length + (values.size() * sizeof(T) + kGrfBytes - 1) / kGrfBytes);
        message.first_length = message.length;
        return *this;
    }
    /// A header register: (dword, value) pairs.
    Send& header(std::initializer_list<std::pair<unsigned, std::uint32_t>> dwords) {
        std::vector<std::uint32_t> values(8, 0);
        for (auto [n, value] : dwords)
            values[n] = value;
        return add(values);
    }
    std::uint32_t dword(unsigned n) const {
        return load<std::uint32_t>(bytes_from(message.response[0]) + n * 4);
    }
    std::uint64_t qword(unsigned n) const {
        return load<std::uint64_t>(bytes_from(message.response[0]) + n * 8);
    }
    /// Is every byte of the response's DWord n written?
    bool written(unsigned n) const {
        return (message.response_enable[n / 8] >> (n % 8 * 4) & 0xF) == 0xF;
    }
};

/// Gives a message the response length it needs to be legal, if there is one. Where the header says
/// how much returns, that is the most there can be.
inline void fit_response(Message& m) {
    for (unsigned registers = 9; registers-- != 0;)
        if (!decode(m.sfid, m.descriptor, m.length, registers, m.header_present).error) {
            m.response_length = static_cast<std::uint8_t>(registers);
            return;
        }
}

/// A descriptor from its parts: message type, control bits at their places, binding table index.
constexpr std::uint32_t descriptor(unsigned type, std::uint32_t control, unsigned index,
                                   unsigned response_length = 0, bool header = false) {
    return type << 14 | control | index | response_length << 20 | (header ? 1u << 19 : 0);
}

/// `count` values first, first + step, ...
template <class T>
std::vector<T> ramp(unsigned count, T first, T step) {
    std::vector<T> values(count);
    for (unsigned i = 0; i < count; ++i)
        values[i] = static_cast<T>(first + step * static_cast<T>(i));
    return values;
}

/// The core with the functional driver on flat memory, and a thread that sends.
struct Bench : gen9::test::TestEnvironment {
    static constexpr std::uint64_t kSurfaceBase =
        FlatMemory::kBase;  ///< binding table at offset 0x2000
    static constexpr std::uint64_t kGeneralBase = FlatMemory::kBase + 0x40000;
    static constexpr std::uint64_t kData =
        FlatMemory::kBase + 0x80000;  ///< where tests put buffers
    FlatMemory memory;
    HdcStats statistics{"hdc"};
    Core core;
    FunctionalDriver driver{memory};
    PlanPool plans;
    Access access{.planned = plans.get()};  ///< of the last message carried out
    Plan& plan = access.planned->plan;
    std::shared_ptr<PipelineState> state = std::make_shared<PipelineState>();
    ThreadSideband sender;

    explicit Bench(bool check_thread_space = false, std::uint32_t slm_bytes = kSlmBytes)
        : core(reporter, statistics, memory, check_thread_space, slm_bytes) {
        memory.slm_bytes = gen9::test::ZeroedMemory(slm_bytes);
        state->surface_state_base = GpuAddr(kSurfaceBase);
        state->general_state_base = GpuAddr(kGeneralBase);
        state->general_state_size = 0x40000;
        sender.state = state;
        sender.binding_table_offset = 0x2000;
        sender.slm_size = 65536;
        core.set_slm_enabled(true);
    }
    void bind(unsigned index, const SurfaceBits& surface) {
        memory.put<std::uint32_t>(kSurfaceBase + 0x2000 + index * 4, index * 64);
        std::memcpy(memory.at(kSurfaceBase + index * 64), surface.dwords, 64);
        core.invalidate();
    }
    /// Carries out a copy of the message and returns it.
    Send& run(const Send& send) {
        Send& done = kept.emplace_back(send);
        done.message.sender = &sender;
        carry_out(done.message, kPlanOnly);
        return done;
    }
    /// As the module does in functional mode. Was it done in the form found at first?
    bool carry_out(Message& message, Forms forms) {
        core.find(message, access, forms);
        if (driver.run(access, message)) return true;
        core.plan(message, access);
        driver.run(access, message);
        return false;
    }
    std::deque<Send> kept;
};

}  // namespace gen9::hdc::test
