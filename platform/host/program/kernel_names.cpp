// SPDX-License-Identifier: Apache-2.0
#include "platform/host/program/kernel_names.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "common/check.h"
#include "platform/split.h"

namespace gen9::platform {
namespace {

constexpr std::uint64_t kMaxFileBytes = std::uint64_t{1} << 30;

template <class Number>
std::optional<Number> number_in(const std::string& word) {
    Number number{};
    const auto end = word.data() + word.size();
    const auto [stopped, error] = std::from_chars(word.data(), end, number);
    if (error != std::errc() || stopped != end) return std::nullopt;
    return number;
}

/// One to three sizes; none if the word has no such.
std::vector<std::uint64_t> sizes_in(const std::string& word) {
    std::vector<std::uint64_t> sizes;
    for (const std::string& part : split(word, ',')) {
        const auto size = number_in<std::uint64_t>(part);
        if (!size || sizes.size() == 3) return {};
        sizes.push_back(*size);
    }
    return sizes;
}

/// All of a file; nothing if it cannot be read.
std::vector<std::uint8_t> bytes_of(const std::string& path) {
    std::error_code error;
    const auto size = std::filesystem::file_size(path, error);
    if (error || size > kMaxFileBytes) return {};
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Are these the groups of an enqueue? Unknown local sizes may be any.
bool has_groups(const LaunchName& launch, const std::array<std::uint32_t, 3>& groups) {
    if (launch.local_size.size() != launch.global_size.size()) return true;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        std::uint64_t wanted = 1;
        if (i < launch.global_size.size() && launch.local_size[i] != 0)
            wanted = (launch.global_size[i] + launch.local_size[i] - 1) / launch.local_size[i];
        if (groups[i] != wanted) return false;
    }
    return true;
}

}  // namespace

void KernelNames::find_logs() {
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder_, error)) {
        if (entry.path().extension() != ".log") continue;
        FileDescriptor& file = logs_[entry.path().stem()].file;
        if (!file) file = FileDescriptor(open(entry.path().c_str(), O_RDONLY | O_CLOEXEC));
    }
}

void KernelNames::read_logs() {
    for (auto& [process, log] : logs_) {
        std::array<char, 4096> piece;
        ssize_t count;
        do {
            count = pread(log.file.get(), piece.data(), piece.size(), log.read);
            if (count <= 0) break;
            log.read += count;
            log.rest.append(piece.data(), static_cast<std::size_t>(count));
        } while (static_cast<std::size_t>(count) == piece.size());
        std::size_t begin = 0;
        for (std::size_t end; (end = log.rest.find('\n', begin)) != std::string::npos;
             begin = end + 1)
            read_line(process, log.rest.substr(begin, end - begin));
        log.rest.erase(0, begin);
    }
}

void KernelNames::read_line(const std::string& process, const std::string& line) {
    const std::vector<std::string> words = split(line, '\t');
    const auto program = words.size() > 1 ? number_in<unsigned>(words[1]) : std::nullopt;
    if (!program) return;
    if (words[0] == "program" && words.size() == 3) read_program(process, *program, words[2]);
    if (words[0] != "enqueue" || words.size() != 6) return;
    Enqueue enqueue{process, {}, false};
    LaunchName& launch = enqueue.launch;
    launch.event = logs_[process].enqueues++;
    launch.program = *program;
    launch.queue = number_in<unsigned>(words[2]).value_or(0);
    launch.global_size = sizes_in(words[3]);
    launch.local_size = sizes_in(words[4]);
    launch.kernel = words[5];
    if (const auto known = programs_.find({process, *program}); known != programs_.end())
        launch.build_options = known->second->build_options;
    if (!launch.kernel.empty() && !launch.global_size.empty())
        enqueues_.push_back(std::move(enqueue));
}

void KernelNames::read_program(const std::string& process, unsigned number,
                               const std::string& options) {
    const auto program = std::make_shared<Program>();
    programs_[{process, number}] = program;
    program->build_options = options;
    const std::string path = folder_ + "/" + process + "-" + std::to_string(number);
    try {
        program->kernels = find_kernels(bytes_of(path + ".bin"), path);
    } catch (const UserError&) {
        // A binary of another kind, or of another device: its kernels have no names.
    }
    program->lines = find_source_lines(bytes_of(path + ".dbg"));
    const auto source = bytes_of(path + ".cl");
    if (!source.empty()) program->source = split({source.begin(), source.end()}, '\n');
}

SourcePlace KernelNames::place_in(const Program& program, const std::string& kernel,
                                  std::uint64_t offset) {
    const auto lines = program.lines.find(kernel);
    if (lines == program.lines.end()) return {};
    SourcePlace place = place_at(lines->second, offset);
    // Lines of a file with a name are lines of another text.
    if (place.file.empty() && place.line != 0 && place.line <= program.source.size())
        place.text = program.source[place.line - 1];
    return place;
}

// Where a binary has references to other code or data, the driver fills them in when it loads it.
bool KernelNames::is_code_of(const Enqueue& enqueue, std::span<const std::uint8_t> code) const {
    constexpr std::size_t kFilledIn = 64;  // one byte of so many at most
    const auto program = programs_.find({enqueue.process, enqueue.launch.program});
    if (program == programs_.end()) return false;
    for (const KernelText& kernel : program->second->kernels) {
        if (kernel.name != enqueue.launch.kernel || kernel.bytes.empty()) continue;
        if (kernel.bytes.size() > code.size()) continue;
        std::size_t may_differ = kernel.bytes.size() / kFilledIn;
        bool same = true;
        for (std::size_t i = 0; same && i < kernel.bytes.size(); ++i)
            if (kernel.bytes[i] != code[i]) same = may_differ-- != 0;
        if (same) return true;
    }
    return false;
}

std::optional<LaunchName> KernelNames::take(std::span<const std::uint8_t> code,
                                            const std::array<std::uint32_t, 3>& groups) {
    read_logs();
    if (auto name = find(code, groups)) return name;
    // Maybe of a process that is new.
    find_logs();
    read_logs();
    return find(code, groups);
}

std::optional<LaunchName> KernelNames::find(std::span<const std::uint8_t> code,
                                            const std::array<std::uint32_t, 3>& groups) {
    while (!enqueues_.empty() && enqueues_.front().taken)
        enqueues_.pop_front();
    Enqueue* other = nullptr;
    for (Enqueue& enqueue : enqueues_) {
        if (enqueue.taken || !is_code_of(enqueue, code)) continue;
        if (has_groups(enqueue.launch, groups)) {
            enqueue.taken = true;
            return named(enqueue);
        }
        if (other == nullptr) other = &enqueue;
    }
    // A driver that splits a launch: its walkers have the name of the whole.
    if (other != nullptr) return named(*other);
    return std::nullopt;
}

LaunchName KernelNames::named(const Enqueue& enqueue) const {
    LaunchName launch = enqueue.launch;
    const auto& program = programs_.at({enqueue.process, launch.program});
    if (program->lines.contains(launch.kernel))
        launch.source = [program, kernel = launch.kernel](std::uint64_t offset) {
            return place_in(*program, kernel, offset);
        };
    return launch;
}

}  // namespace gen9::platform
