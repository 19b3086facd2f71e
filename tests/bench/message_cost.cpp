// SPDX-License-Identifier: Apache-2.0
// What a data port message costs the host in functional mode, moved by compiled code where it is
// plain, and as a call of its site: message_cost.py counts the instructions by valgrind.
#include <valgrind/callgrind.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "eu/execute/prepare.h"
#include "eu/jit/compiled_region.h"
#include "eu/jit/host.h"
#include "hdc/access/direct.h"
#include "tests/unit/eu/execute/builder.h"
#include "tests/unit/hdc/bench.h"

namespace {

using namespace gen9;
using gen9::hdc::test::Bench;
using gen9::hdc::test::ramp;
using gen9::hdc::test::Send;

constexpr std::uint64_t kData = Bench::kData;
constexpr unsigned kPayload = 10, kResponse = 60, kSends = 33;

/// Sends all messages of a region to one site.
struct OneSite : eu::Messages {
    hdc::DirectPort& port;
    std::unique_ptr<DirectSite> site;
    DirectSender sender;
    DirectSite* sites;
    PlainMessages* plain = &no_plain_messages;
    PlainEpoch epoch;
    std::uint32_t called = 0;
    OneSite(hdc::DirectPort& to, const SendForm& form, const ThreadSideband& thread, bool code)
        : port(to), site(to.site(form)), sender{thread, 0}, sites(site.get()) {
        auto* const found = dynamic_cast<PlainDirectSite*>(site.get());
        if (code && found != nullptr && found->plain.form.slots != 0 && epoch.takes(found->plain))
            plain = &found->plain;
    }
    bool send(eu::Thread&, const eu::DecodedInstruction&, unsigned, Cycles) override {
        std::printf("not carried out by its site\n");
        return true;
    }
    Direct direct(unsigned) override { return {&sites, &sender, &called, &plain, &epoch}; }
};

struct Kind {
    std::string name;
    Send send;
    std::uint32_t mask = 0xFFFF;
    bool repeats = false;  ///< in a loop that does not change the offsets
};

void measure(Bench& bench, hdc::DirectPort& port, const Kind& kind, bool code) {
    Message m = kind.send.message;
    hdc::test::fit_response(m);
    m.descriptor |= std::uint32_t{m.length} << 25 | std::uint32_t{m.response_length} << 20;
    isa::Instruction in =
        eu::test::make(isa::Opcode::Send, 16,
                       m.response_length != 0 ? eu::test::grf(kResponse, isa::Type::UD)
                                              : eu::test::null(isa::Type::UD),
                       {eu::test::grf(kPayload, isa::Type::UD)});
    in.descriptor = m.descriptor;
    in.sfid = static_cast<std::uint8_t>(m.sfid);
    std::vector<eu::DecodedInstruction> sends(kSends);
    std::vector<eu::jit::Part> parts;
    for (unsigned n = 0; n < kSends; ++n) {
        sends[n] = eu::prepare(in, n * 16);
        parts.push_back({&sends[n], sends[n].ip, sends[n].next_ip, 0});
    }
    const eu::MessageForm& form = sends[0].message;
    auto thread = eu::test::make_thread();
    thread->control[0] = eu::cr0::kFloatDenormals;
    thread->sideband = bench.sender;
    thread->active = kind.mask;
    OneSite messages(
        port,
        {form.descriptor, form.extended_descriptor, form.sfid, form.length, form.first_length,
         form.response_length, form.header_present, form.eight_wide},
        thread->sideband, code);
    if (messages.site == nullptr) {
        std::printf("no site: %s\n", kind.name.c_str());
        return;
    }
    for (const unsigned count : {1u, kSends}) {
        // A jump back that is not taken.
        isa::Instruction jump =
            eu::test::make(isa::Opcode::Jmpi, 1, eu::test::null(isa::Type::UD), {});
        jump.jip = -16 * static_cast<int>(count + 1);
        jump.pred_ctrl = isa::PredCtrl::Sequential;
        const eu::DecodedInstruction last = eu::prepare(jump, count * 16);
        std::vector<eu::jit::Part> code_of(parts.begin(), parts.begin() + count);
        if (kind.repeats) code_of.push_back({&last, last.ip, last.next_ip, 0});
        thread->flag = {};
        const auto region =
            eu::jit::CompiledRegion::make(code_of, thread->control[0], eu::jit::Level::Avx2);
        const auto again = [&] {
            thread->ip = 0;
            std::memcpy(bytes_from(thread->grf[kPayload]), bytes_from(m.payload[0]),
                        m.length * kGrfBytes);
        };
        for (unsigned n = 0; n < 20; ++n) {
            again();
            region->run(*thread, messages, Cycles(), 1000);
        }
        again();
        CALLGRIND_ZERO_STATS;
        region->run(*thread, messages, Cycles(), 1000);
        CALLGRIND_DUMP_STATS_AT(kind.name.c_str());
    }
    port.settle(0);
    std::printf("%s: %s\n", kind.name.c_str(), code ? "code" : "call");
}

std::vector<std::uint32_t> anywhere(unsigned slots) {
    std::vector<std::uint32_t> offsets(slots);
    for (unsigned i = 0; i < slots; ++i)
        offsets[i] = i * 7 % 16 * 2048 + i * 68;
    return offsets;
}
std::vector<std::uint64_t> addresses(const std::vector<std::uint32_t>& offsets) {
    std::vector<std::uint64_t> result;
    for (const std::uint32_t offset : offsets)
        result.push_back(kData + offset);
    return result;
}

std::vector<Kind> kinds() {
    std::vector<Kind> all;
    for (const unsigned index : {0x00u, 0xFEu})
        for (const unsigned items : {1u, 4u}) {
            Send send(Sfid::DataPort1, 1u << 14 | 0x1000 | (items == 1 ? 0xE00u : 0u) | index);
            send.add(ramp<std::uint32_t>(16, 64, items == 1 ? 4 : 0));
            all.push_back({std::string(index == 0 ? "untyped" : "SLM") + " read of 16, " +
                               std::to_string(items) + (items == 1 ? " channel" : " channels") +
                               ", repeated",
                           send, 0xFFFF, true});
        }
    struct Lie {
        const char* name;
        std::vector<std::uint32_t> (*offsets)(unsigned slots, unsigned bytes);
    };
    const Lie lies[] = {
        {"side by side", [](unsigned s, unsigned b) { return ramp<std::uint32_t>(s, 64, b); }},
        {"one place", [](unsigned s, unsigned) { return std::vector<std::uint32_t>(s, 64); }},
        {"anywhere", [](unsigned s, unsigned) { return anywhere(s); }}};
    constexpr std::uint32_t kChannels[] = {0xE00, 0xC00, 0x800, 0x000};
    const auto data = [](unsigned slots) { return ramp<std::uint32_t>(slots, 1, 1); };
    for (const Lie& lie : lies) {
        const std::string how = std::string(", ") + lie.name;
        const bool one = lie.name[0] == 'o';
        for (const unsigned slots : {8u, 16u}) {
            const std::uint32_t mode = slots == 16 ? 0x1000 : 0x2000;
            const std::string size = " of " + std::to_string(slots);
            for (const unsigned index : {0x00u, 0xFEu}) {
                const std::string where = index == 0 ? "untyped" : "SLM";
                all.push_back({where + " read" + size + how,
                               Send(Sfid::DataPort1, 1u << 14 | mode | 0xE00 | index)
                                   .add(lie.offsets(slots, 4))});
                if (one) continue;
                all.push_back({where + " write" + size + how,
                               Send(Sfid::DataPort1, 9u << 14 | mode | 0xE00 | index)
                                   .add(lie.offsets(slots, 4))
                                   .add(data(slots))});
            }
        }
        all.push_back({"untyped read of 16, half of them on" + how,
                       Send(Sfid::DataPort1, 1u << 14 | 0x1E00).add(lie.offsets(16, 4)), 0x00FF});
        all.push_back(
            {"untyped write of 16, every other on" + how,
             Send(Sfid::DataPort1, 9u << 14 | 0x1E00).add(lie.offsets(16, 4)).add(data(16)),
             0x5555});
        for (const unsigned items : {2u, 4u})
            all.push_back({"untyped read of 16, " + std::to_string(items) + " channels" + how,
                           Send(Sfid::DataPort1, 1u << 14 | 0x1000 | kChannels[items - 1])
                               .add(lie.offsets(16, 4 * items))});
        for (unsigned items = 1; !one && items <= 4; ++items) {
            Send write(Sfid::DataPort1, 9u << 14 | 0x1000 | kChannels[items - 1]);
            write.add(lie.offsets(16, 4 * items));
            for (unsigned n = 0; n < items; ++n)
                write.add(data(16));
            const std::string channels = ", " + std::to_string(items) + " channels";
            if (items != 1) all.push_back({"untyped write of 16" + channels + how, write});
            all.push_back({"untyped write of 16" + channels + ", one off" + how, write, 0x7FFF});
            all.push_back({"untyped write of 16" + channels + ", three on" + how, write, 0x0111});
        }
        all.push_back({"A64 read of 16" + how,
                       Send(Sfid::DataPort1, 0x411FF).add(addresses(lie.offsets(16, 4)))});
        all.push_back({"A64 read of 16, half of them on" + how,
                       Send(Sfid::DataPort1, 0x411FF).add(addresses(lie.offsets(16, 4))), 0x00FF});
        for (const std::uint32_t mask : {0xFFFFu, 0x7FFFu})
            if (!one)
                all.push_back(
                    {std::string("A64 write of 16") + (mask == 0xFFFF ? "" : ", one off") + how,
                     Send(Sfid::DataPort1, 0x691FF)
                         .add(addresses(lie.offsets(16, 4)))
                         .add(data(16)),
                     mask});
        all.push_back({"bytes, read of 16" + how,
                       Send(Sfid::DataPort0, 4u << 14 | 0x100).add(lie.offsets(16, 1))});
        if (!one)
            all.push_back(
                {"bytes, write of 16" + how,
                 Send(Sfid::DataPort0, 12u << 14 | 0x100).add(lie.offsets(16, 1)).add(data(16))});
    }
    for (const unsigned code : {0u, 2u, 3u, 4u}) {
        const std::string owords = std::to_string(code == 0 ? 1 : 1u << (code - 1));
        all.push_back({"block read of " + owords + " OWords",
                       Send(Sfid::DataPort0, 1u << 19 | code << 8).header({{2, 4}})});
        Send write(Sfid::DataPort0, 8u << 14 | 1u << 19 | code << 8);
        write.header({{2, 4}});
        for (unsigned n = 0; n < (code < 3 ? 1u : code == 3 ? 2u : 4u); ++n)
            write.add(data(8));
        all.push_back({"block write of " + owords + " OWords", write});
    }
    return all;
}

}  // namespace

int main() {
    if (eu::jit::host_level() == eu::jit::Level::None) return 1;
    Bench bench;
    bench.bind(0, hdc::test::SurfaceBits::buffer(kData, 65536));
    hdc::TypedTargets typed;
    hdc::DirectPort port(bench.core, bench.driver, typed);
    // The state of a surface is at hand when a message has used it.
    Send use(Sfid::DataPort1, 0x02106E00, 0xFF);
    bench.run(use.add(std::vector<std::uint32_t>(8)));
    for (const Kind& kind : kinds())
        for (const bool code : {true, false})
            measure(bench, port, kind, code);
}
