// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "interconnect/payload/direct_lines.h"
#include "interconnect/payload/memory_request.h"

namespace gen9::memory {

/// The pages that are accessed by host pointer, and which of their lines have been (core of the
/// LLC's account of them). A page has a record for each way in which it is cached.
class DirectPages {
  public:
    struct Page {
        std::uint64_t address = 0;  ///< physical
        LlcPolicy policy = LlcPolicy::WriteBack;
        DirectLines lines;
        std::uint64_t given = 0;  ///< its place in the order in which pages were given last
    };
    /// The record to mark, good for as long as this is. What was marked before of accesses that are
    /// cached in another way is handed over now, for it came before.
    template <class Take>
    DirectLines& give(std::uint64_t page, LlcPolicy policy, Take&& take) {
        for (const LlcPolicy other : kPolicies)
            if (const auto found = pages_.find({page, other});
                other != policy && found != pages_.end())
                hand_over(found->second, take);
        return record(page, policy);
    }
    /// Hands over what has been marked since the last time, the page first that was given longest
    /// ago, and forgets the marks. Within a page the order is not known: by address.
    template <class Take>
    void take(Take&& take) {
        for (Page* page : in_order())
            hand_over(*page, take);
    }

  private:
    static constexpr LlcPolicy kPolicies[] = {LlcPolicy::WriteBack, LlcPolicy::WriteThrough,
                                              LlcPolicy::Uncached};
    template <class Take>
    static void hand_over(Page& page, Take& take) {
        const DirectLines marked = std::exchange(page.lines, {});
        for (std::uint64_t left = marked.read | marked.written; left; left &= left - 1) {
            const auto line = static_cast<unsigned>(std::countr_zero(left));
            take(page.address + line * kLineBytes, page.policy, (marked.written >> line & 1) != 0);
        }
    }
    DirectLines& record(std::uint64_t page, LlcPolicy policy);
    /// The pages with marks.
    std::vector<Page*> in_order();

    std::map<std::pair<std::uint64_t, LlcPolicy>, Page> pages_;
    std::uint64_t given_ = 0;
};

}  // namespace gen9::memory
