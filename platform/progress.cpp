// SPDX-License-Identifier: Apache-2.0
#include "platform/progress.h"

#include <cmath>
#include <cstdio>

namespace gen9::platform {

std::string with_unit(double value, const char* unit) {
    static const char* const kPrefix[] = {"", "k", "M", "G", "T"};
    unsigned step = 0;
    for (; value >= 1000 && step < 4; ++step)
        value /= 1000;
    char text[48];
    std::snprintf(text, sizeof text, step ? "%.2f %s%s" : "%.0f %s%s", value, kPrefix[step], unit);
    return text;
}

std::string to_text(const Progress& progress) {
    std::string text;
    double left = 0;
    if (progress.launch) {
        const auto& [walker, done, timed, seconds] = *progress.launch;
        const std::uint64_t all =
            std::uint64_t{walker.groups[0]} * walker.groups[1] * walker.groups[2];
        char line[128];
        std::snprintf(line, sizeof line, "launch %u, 0x%llx SIMD%u, ", walker.number,
                      static_cast<unsigned long long>(walker.kernel_start.value),
                      walker.simd_width);
        text += line;
        if (all != 0)
            text +=
                std::to_string(std::min(done, all)) + " of " + std::to_string(all) + " groups, ";
        if (timed != 0 && done < all)
            left = seconds * static_cast<double>(all - done) / static_cast<double>(timed);
    }
    const auto count =
        static_cast<double>(progress.timed ? progress.cycles : progress.instructions);
    const char* const unit = progress.timed ? "cycles" : "EU instructions";
    text += with_unit(count, unit);
    if (progress.seconds > 0) text += ", " + with_unit(count / progress.seconds, unit) + "/s";
    if (left > 0) text += ", " + with_unit(std::ceil(left), "s") + " left";
    return text;
}

LaunchProgress::LaunchProgress(const StatRegistry& stats)
    : groups_(stats, "spawner.groups"),
      sent_(stats, "spawner.threads"),
      retired_(stats, "spawner.threads_retired") {}

LaunchProgress::Counts LaunchProgress::counts() const {
    return {groups_.value(), sent_.value(), retired_.value()};
}

void LaunchProgress::walker_began(const WalkerRecord& walker) {
    walker_ = walker;
    then_ = counts();
    first_.reset();
}

void LaunchProgress::walker_ended(const WalkerRecord& walker) {
    if (walker_ && walker_->number == walker.number) walker_.reset();
}

std::optional<Progress::Launch> LaunchProgress::at(double seconds) {
    if (!walker_) return {};
    const Counts now = counts();
    const std::uint64_t groups = now.groups - then_.groups, sent = now.sent - then_.sent,
                        retired = now.retired - then_.retired;
    // A group's threads are sent together: as many groups are done as its threads have ended.
    const std::uint64_t done = sent != 0 ? groups * std::min(retired, sent) / sent : 0;
    if (!first_) first_ = {seconds, done};
    return Progress::Launch{*walker_, done, done - first_->done, seconds - first_->seconds};
}

}  // namespace gen9::platform
