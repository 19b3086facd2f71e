// SPDX-License-Identifier: Apache-2.0
#include "eu/jit/verify.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

#include "eu/execute/executor.h"

namespace gen9::eu::jit {
namespace {

/// The same bits, or both a NaN of some bits, the sign left out.
bool same_number(std::uint64_t a, std::uint64_t b, std::uint64_t infinity) {
    const std::uint64_t sign = infinity + (infinity & (0 - infinity));
    return a == b || ((a & ~sign) > infinity && (b & ~sign) > infinity);
}

/// Are two places of eight bytes the same? Their NaN may be doubles, singles or halves.
bool same_places(std::uint64_t a, std::uint64_t b) {
    if (same_number(a, b, 0x7FF0'0000'0000'0000)) return true;
    for (unsigned shift = 0; shift < 64; shift += 32) {
        const std::uint32_t x = static_cast<std::uint32_t>(a >> shift),
                            y = static_cast<std::uint32_t>(b >> shift);
        const bool halves =
            same_number(x & 0xFFFF, y & 0xFFFF, 0x7C00) && same_number(x >> 16, y >> 16, 0x7C00);
        if (!halves && !same_number(x, y, 0x7F80'0000)) return false;
    }
    return true;
}

template <class... Values>
std::string text(const char* format, Values... values) {
    char buffer[128];
    std::snprintf(buffer, sizeof buffer, format, values...);
    return buffer;
}

/// What of a thread is not as in the other one; empty: nothing.
std::string difference(const Thread& compiled, const Thread& stepped) {
    for (unsigned reg = 0; reg < kGrfCount; ++reg)
        for (unsigned place = 0; place < kGrfBytes / 8; ++place) {
            std::uint64_t a, b;
            std::memcpy(&a, compiled.grf[reg].bytes + 8 * place, 8);
            std::memcpy(&b, stepped.grf[reg].bytes + 8 * place, 8);
            if (!same_places(a, b))
                return text("r%u.%u:uq is 0x%llx, not 0x%llx", reg, place,
                            static_cast<unsigned long long>(a), static_cast<unsigned long long>(b));
        }
    if (compiled.ip != stepped.ip) return text("the IP is 0x%x, not 0x%x", compiled.ip, stepped.ip);
    if (compiled.active != stepped.active || compiled.waiting != stepped.waiting ||
        compiled.wake_ip != stepped.wake_ip || compiled.call_mask != stepped.call_mask)
        return text("active channels 0x%x, not 0x%x", compiled.active, stepped.active);
    if (compiled.notification != stepped.notification) return "notifications";
    if (compiled.flag != stepped.flag)
        return text("flags 0x%x and 0x%x, not 0x%x and 0x%x", compiled.flag[0], compiled.flag[1],
                    stepped.flag[0], stepped.flag[1]);
    if (compiled.address != stepped.address) return "address registers";
    if (compiled.acc != stepped.acc || compiled.special_acc != stepped.special_acc)
        return "accumulators";
    if (compiled.control != stepped.control || compiled.state != stepped.state)
        return "control or state registers";
    return {};
}

/// Steps the copy up to each message, and takes over what the message has done.
class Verifier final : public Messages {
  public:
    Verifier(const CompiledRegion& region, Thread& thread, Messages& real, Cycles begin,
             std::string& differs)
        : region_(region), copy_(thread), real_(real), begin_(begin), differs_(differs) {}

    bool send(Thread& thread, const DecodedInstruction& instruction, unsigned number,
              Cycles now) override {
        compare(thread, (now - begin_).value - 1);
        ++executed_;
        const bool goes_on = real_.send(thread, instruction, number, now);
        copy_ = thread;
        return goes_on;
    }
    void wait(Thread& thread, const DecodedInstruction& instruction, Cycles now) override {
        compare(thread, (now - begin_).value);
        real_.wait(thread, instruction, now);
    }
    Direct direct(unsigned most) override {
        none_.resize(most + 1u);
        no_plain_.resize(most + 1u, &no_plain_messages);
        return {none_.data(), nullptr, nullptr, no_plain_.data()};
    }
    /// After so many instructions both must be the same.
    void compare(const Thread& thread, std::uint64_t executed) {
        const std::uint32_t from = copy_.ip;
        for (; executed_ < executed; ++executed_) {
            const Part* const part = find(copy_.ip);
            if (part == nullptr) break;
            execute(copy_, *part->instruction);
        }
        const std::string found = difference(thread, copy_);
        if (!found.empty() && differs_.empty())
            differs_ = text("between IP 0x%x and 0x%x: ", from, copy_.ip) + found;
    }

  private:
    const Part* find(std::uint32_t ip) const {
        const auto parts = region_.parts();
        const auto found = std::ranges::lower_bound(parts, ip, {}, &Part::ip);
        const bool here = found != parts.end() && found->ip == ip && found->instruction != nullptr;
        return here ? &*found : nullptr;
    }

    const CompiledRegion& region_;
    Thread copy_;
    Messages& real_;
    const Cycles begin_;
    std::string& differs_;
    std::uint64_t executed_ = 0;
    std::vector<DirectSite*> none_;
    std::vector<PlainMessages*> no_plain_;
};

}  // namespace

CodeRegion::Run run_verified(const CompiledRegion& region, Thread& thread, Messages& messages,
                             Cycles begin, std::uint64_t most, std::string& differs) {
    Verifier verifier(region, thread, messages, begin, differs);
    const CodeRegion::Run run = region.run(thread, verifier, begin, most);
    if (!run.left) verifier.compare(thread, run.instructions);
    return run;
}

}  // namespace gen9::eu::jit
