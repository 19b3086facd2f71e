// SPDX-License-Identifier: Apache-2.0
#include "memory/llc/direct_pages.h"

#include <algorithm>

namespace gen9::memory {

DirectLines& DirectPages::record(std::uint64_t page, LlcPolicy policy) {
    Page& given = pages_[{page, policy}];
    given.address = page;
    given.policy = policy;
    given.given = ++given_;
    return given.lines;
}

std::vector<DirectPages::Page*> DirectPages::in_order() {
    std::vector<Page*> marked;
    for (auto& [_, page] : pages_)
        if (page.lines.read | page.lines.written) marked.push_back(&page);
    std::ranges::sort(marked, {}, &Page::given);
    return marked;
}

}  // namespace gen9::memory
