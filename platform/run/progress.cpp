// SPDX-License-Identifier: Apache-2.0
#include "platform/run/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

namespace gen9::platform {
namespace {

constexpr std::chrono::seconds kBetweenLines(1);
constexpr std::size_t kUsualColumns = 80;

std::string time_text(double seconds) {
    constexpr double kMinute = 60, kHour = 60 * kMinute, kFew = 3;
    char text[32];
    if (seconds < kFew * kMinute)
        std::snprintf(text, sizeof text, "%.0f s", std::ceil(seconds));
    else if (seconds < kFew * kHour)
        std::snprintf(text, sizeof text, "%.0f min", std::ceil(seconds / kMinute));
    else
        std::snprintf(text, sizeof text, "%.0f h", std::ceil(seconds / kHour));
    return text;
}

/// The width of the terminal that standard error is.
std::size_t terminal_columns() {
    winsize size{};
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0 ? size.ws_col
                                                                            : kUsualColumns;
}

/// `name` with its end left out, so that it has at most `most` characters.
std::string cut(const std::string& name, std::size_t most) {
    constexpr std::size_t kDots = 2;
    if (name.size() <= most) return name;
    return name.substr(0, std::max(most, kDots) - kDots) + "..";
}

}  // namespace

std::string with_unit(double value, const char* unit) {
    static const char* const kPrefix[] = {"", "k", "M", "G", "T"};
    unsigned step = 0;
    for (; value >= 1000 && step < 4; ++step)
        value /= 1000;
    char text[48];
    const int decimals = step == 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
    std::snprintf(text, sizeof text, "%.*f %s%s", decimals, value, kPrefix[step], unit);
    return text;
}

std::string to_text(const Progress& progress, std::size_t columns) {
    std::string begin, name, text;
    double left = 0;
    if (progress.launch) {
        const auto& [work, kernel, done, timed, seconds] = *progress.launch;
        const std::uint64_t all = std::uint64_t{work.groups[0]} * work.groups[1] * work.groups[2];
        char address[24];
        std::snprintf(address, sizeof address, "0x%llx",
                      static_cast<unsigned long long>(work.kernel_start.value));
        begin = "launch " + std::to_string(work.number) + ", ";
        name = kernel.empty() ? address : kernel;
        text = ", ";
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
    if (left > 0) text += ", " + time_text(left) + " left";
    const std::size_t others = begin.size() + text.size();
    constexpr std::size_t kLeastName = 8;
    text = begin + cut(name, std::max(kLeastName, columns - std::min(columns, others))) + text;
    return cut(text, columns);
}

bool ProgressLine::due() const {
    return wanted_ && std::chrono::steady_clock::now() - last_ >= kBetweenLines;
}

void ProgressLine::show(const Progress& progress) {
    last_ = std::chrono::steady_clock::now();
    shown_ = true;
    // The cursor stands behind the line, on the last column at most.
    std::fprintf(stderr, "\r\033[K%s", to_text(progress, terminal_columns() - 1).c_str());
    std::fflush(stderr);
}

void ProgressLine::clear() {
    if (std::exchange(shown_, false)) std::fprintf(stderr, "\r\033[K");
}

LaunchProgress::LaunchProgress(const StatRegistry& stats)
    : groups_(stats, "spawner.groups"),
      sent_(stats, "spawner.threads"),
      retired_(stats, "spawner.threads_retired") {}

LaunchProgress::Counts LaunchProgress::counts() const {
    return {groups_.value(), sent_.value(), retired_.value()};
}

void LaunchProgress::work_began(const WorkRecord& work) {
    work_ = work;
    then_ = counts();
    first_.reset();
}

void LaunchProgress::work_ended(const WorkRecord& work) {
    if (work_ && work_->number == work.number) work_.reset();
}

std::optional<Progress::Launch> LaunchProgress::at(double seconds) {
    if (!work_) return {};
    const Counts now = counts();
    const std::uint64_t groups = now.groups - then_.groups, sent = now.sent - then_.sent,
                        retired = now.retired - then_.retired;
    // A group's threads are sent together: as many groups are done as its threads have ended.
    const std::uint64_t done = sent != 0 ? groups * std::min(retired, sent) / sent : 0;
    if (!first_) first_ = {seconds, done};
    return Progress::Launch{*work_, {}, done, done - first_->done, seconds - first_->seconds};
}

}  // namespace gen9::platform
