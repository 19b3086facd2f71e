// SPDX-License-Identifier: Apache-2.0
#include "platform/launch_names.h"

#include <boost/json.hpp>

#include "common/bits.h"

namespace gen9::platform {
namespace {

constexpr std::size_t kPieceBytes = 4096, kMaxKernelBytes = 1 << 20;

/// Does the code end in these bytes? Padding is zero, which is no instruction.
bool has_end(std::span<const std::uint8_t> code) {
    for (std::size_t at = 0; at + 8 <= code.size(); at += 8)
        if (load<std::uint64_t>(code.data() + at) == 0) return true;
    return false;
}

}  // namespace

void add_to(boost::json::object& entry, const LaunchName& name) {
    const auto sizes = [](const std::vector<std::uint64_t>& of) {
        return boost::json::array(of.begin(), of.end());
    };
    entry["name"] = name.kernel;
    entry["program"] = name.program;
    entry["build_options"] = name.build_options;
    entry["global_size"] = sizes(name.global_size);
    if (!name.local_size.empty()) entry["local_size"] = sizes(name.local_size);
    entry["queue"] = name.queue;
    entry["event"] = name.event;
}

void LaunchNames::walker_began(const WalkerRecord& walker) {
    if (!name_ || walker.number < asked_) return;
    asked_ = walker.number + 1;
    std::vector<std::uint8_t> code;
    while (code.size() < kMaxKernelBytes) {
        const std::size_t size = code.size();
        code.resize(size + kPieceBytes);
        const std::size_t read = read_(walker.kernel_start + size, std::span(code).subspan(size));
        code.resize(size + read);
        if (read < kPieceBytes || has_end(std::span(code).subspan(size))) break;
    }
    if (auto name = name_(code, walker.groups)) names_.emplace(walker.number, std::move(*name));
}

}  // namespace gen9::platform
