// SPDX-License-Identifier: Apache-2.0
#include "platform/host/drm/library/requests/counter_sets.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "platform/host/drm/library/objects/connection.h"
#include "platform/host/drm/library/process/real.h"
#include "platform/host/drm/library/process/tree.h"
#include "platform/host/drm/protocol.h"

namespace gen9::drm {
namespace {

constexpr std::uint32_t kFirstNumber = 2, kMostSets = 4096;
constexpr int kRead = O_RDONLY | O_CLOEXEC, kMake = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
constexpr mode_t kAllRead = 0644;

std::string in_sets(const std::string& name) {
    return in_folder(kCounterSetsName).append("/").append(name);
}
std::string in_metrics(const std::string& uuid) {
    return std::string(tree()).append(kMetricsFolder).append("/").append(uuid);
}

bool write_file(const std::string& path, const void* bytes, std::size_t count) {
    const int file = real().open(path.c_str(), kMake, kAllRead);
    if (file < 0) return false;
    const bool whole = write(file, bytes, count) == static_cast<ssize_t>(count);
    real().close(file);
    return whole;
}

/// Makes and removes sets alone, of all processes of the run, while it lives. Its file has the
/// number of the next set and how many there are.
class Changes {
  public:
    Changes() : file_(real().open(in_sets("changes").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
        if (file_ < 0) return;
        fchmod(file_, 0666);  // whatever the mask; if it is another's, it has that already
        while (flock(file_, LOCK_EX) != 0 && errno == EINTR) {
        }
        if (pread(file_, &state_, sizeof state_, 0) != sizeof state_) state_ = {};
    }
    ~Changes() {
        if (file_ >= 0) real().close(file_);
    }
    Changes(const Changes&) = delete;
    Changes& operator=(const Changes&) = delete;

    struct State {
        std::uint32_t next = kFirstNumber, count = 0;
    };
    bool allowed() const { return file_ >= 0; }
    const State& state() const { return state_; }
    void keep(const State& state) {
        state_ = state;
        if (pwrite(file_, &state_, sizeof state_, 0) != sizeof state_) state_ = {};
    }

  private:
    int file_;
    State state_;
};

void append(std::vector<std::uint32_t>& words, const CounterSet::Registers& registers) {
    words.push_back(static_cast<std::uint32_t>(registers.size()));
    for (const auto& [offset, value] : registers) {
        words.push_back(offset);
        words.push_back(value);
    }
}

bool take(const std::vector<std::uint32_t>& words, std::size_t& at,
          CounterSet::Registers& registers) {
    if (at >= words.size() || words[at] > CounterSet::kMostRegisters ||
        (words.size() - at - 1) / 2 < words[at])
        return false;
    registers.resize(words[at++]);
    for (auto& [offset, value] : registers) {
        offset = words[at++];
        value = words[at++];
    }
    return true;
}

}  // namespace

int add_counter_set(const CounterSet& set, std::uint64_t& number) {
    Changes changes;
    if (!changes.allowed()) return EACCES;
    auto state = changes.state();
    const std::string uuid(set.uuid.data(), set.uuid.size()), metric = in_metrics(uuid);
    struct stat found {};
    if (real().stat(metric.c_str(), &found) == 0) return EADDRINUSE;
    if (state.count >= kMostSets || state.next >= INT_MAX) return ENOSPC;
    std::vector<std::uint32_t> words(set.uuid.size() / 4);
    std::memcpy(words.data(), set.uuid.data(), set.uuid.size());
    append(words, set.mux);
    append(words, set.boolean);
    append(words, set.flex);
    const std::string name = std::to_string(state.next), file = in_sets(name), text = name + "\n";
    if (!write_file(file, words.data(), 4 * words.size()) || mkdir(metric.c_str(), 0755) != 0 ||
        !write_file(metric + "/id", text.data(), text.size())) {
        const int error = errno;
        unlink((metric + "/id").c_str());
        rmdir(metric.c_str());
        unlink(file.c_str());
        return error;
    }
    number = state.next;
    changes.keep({state.next + 1, state.count + 1});
    return 0;
}

int remove_counter_set(std::uint64_t number) {
    Changes changes;
    if (!changes.allowed()) return EACCES;
    CounterSet set;
    if (!read_counter_set(number, set)) return ENOENT;
    const std::string metric = in_metrics(std::string(set.uuid.data(), set.uuid.size()));
    if (unlink(in_sets(std::to_string(number)).c_str()) != 0) return EACCES;
    unlink((metric + "/id").c_str());
    rmdir(metric.c_str());
    changes.keep({changes.state().next, changes.state().count - 1});
    return 0;
}

bool read_counter_set(std::uint64_t number, CounterSet& set) {
    const OwnDescriptor file(real().open(in_sets(std::to_string(number)).c_str(), kRead));
    struct stat status {};
    constexpr off_t kMostBytes =
        3 * (1 + 2 * off_t{CounterSet::kMostRegisters}) * 4 + CounterSet::kUuidBytes;
    if (!file || real().fstat(file.get(), &status) != 0 || status.st_size > kMostBytes)
        return false;
    std::vector<std::uint32_t> words(static_cast<std::size_t>(status.st_size) / 4);
    if (words.size() < set.uuid.size() / 4 || pread(file.get(), words.data(), 4 * words.size(),
                                                    0) != static_cast<ssize_t>(4 * words.size()))
        return false;
    std::memcpy(set.uuid.data(), words.data(), set.uuid.size());
    std::size_t at = set.uuid.size() / 4;
    return take(words, at, set.mux) && take(words, at, set.boolean) && take(words, at, set.flex);
}

std::uint64_t counter_set_of(const std::array<char, CounterSet::kUuidBytes>& uuid) {
    const std::string name(uuid.data(), uuid.size());
    if (name.find('/') != std::string::npos) return 0;
    const OwnDescriptor file(real().open((in_metrics(name) + "/id").c_str(), kRead));
    char text[16]{};
    if (!file || pread(file.get(), text, sizeof text - 1, 0) <= 0) return 0;
    return std::strtoull(text, nullptr, 10);
}

std::vector<std::uint64_t> counter_sets() {
    std::vector<std::uint64_t> numbers;
    DIR* const folder = real().opendir(in_folder(kCounterSetsName).c_str());
    if (!folder) return numbers;
    while (const dirent* entry = readdir(folder))
        if (const auto number = std::strtoull(entry->d_name, nullptr, 10))
            numbers.push_back(number);
    closedir(folder);
    std::ranges::sort(numbers);
    return numbers;
}

}  // namespace gen9::drm
