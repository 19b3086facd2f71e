// SPDX-License-Identifier: Apache-2.0
#include "platform/host/program/kernel_names.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <iterator>

#include "common/check.h"
#include "common/split.h"
#include "platform/host/program/device_binary.h"
#include "platform/host/program/driver_command.h"
#include "platform/host/regular_file.h"

namespace gen9::platform {
namespace {

/// The program may write anything in its place. What is longer is not read.
constexpr std::size_t kMaxLineBytes = 1 << 20, kMaxFileBytes = 64 << 20;

template <class Number>
std::optional<Number> number_in(std::string_view word) {
    Number number{};
    const auto end = word.data() + word.size();
    const auto [stopped, error] = std::from_chars(word.data(), end, number);
    if (error != std::errc() || stopped != end) return std::nullopt;
    return number;
}

/// One to three sizes; none if the word has no such.
std::vector<std::uint64_t> sizes_in(std::string_view word) {
    std::vector<std::uint64_t> sizes;
    for (const std::string_view part : split(word, ',')) {
        const auto size = number_in<std::uint64_t>(part);
        if (!size || sizes.size() == 3) return {};
        sizes.push_back(*size);
    }
    return sizes;
}

/// The lines of a text begin here.
std::vector<std::uint32_t> line_starts(const std::vector<std::uint8_t>& text) {
    std::vector<std::uint32_t> starts;
    if (!text.empty()) starts.push_back(0);
    for (std::size_t at = 0; at < text.size(); ++at)
        if (text[at] == '\n') starts.push_back(static_cast<std::uint32_t>(at + 1));
    return starts;
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

/// Those with a surface, by kernel. The bytes may be anything.
std::map<std::string, std::vector<LaunchArgument>> arguments_in(
    std::span<const std::uint8_t> binary) {
    std::map<std::string, std::vector<LaunchArgument>> found;
    try {
        for (const auto& [kernel, arguments] : find_arguments(binary, "a program's binary"))
            for (const KernelArgument& argument : arguments)
                if (argument.surface)
                    found[kernel].push_back({argument.number, argument.name, *argument.surface});
    } catch (const UserError&) {
        found.clear();
    }
    return found;
}

}  // namespace

void KernelNames::submits(std::uint32_t process, std::uint32_t launch) {
    // An enqueue may have several launches. Each launch that an event frees is of another enqueue.
    const bool same = process == process_ && launch == launch_;
    if (same && !logs_[process].freed.contains(launch - 1)) return;
    process_ = process;
    launch_ = launch;
    submitted_.reset();
}

std::string KernelNames::path_of(const std::string& name) const {
    return folder_ + "/" + std::to_string(process_) + name;
}

void KernelNames::refresh() {
    Log& log = logs_[process_];
    if (log.refused) return;
    if (!log.file) {
        struct stat unused {};
        log.file = open_regular(path_of(".log"), unused);
    }
    if (!log.file) return;
    // The next call reads what is written meanwhile.
    struct stat status {};
    if (fstat(log.file.get(), &status) != 0) return;
    std::array<char, 4096> piece;
    while (log.read < status.st_size && !log.refused) {
        const ssize_t count = pread(log.file.get(), piece.data(), piece.size(), log.read);
        if (count <= 0) break;
        log.read += count;
        log.rest.append(piece.data(), static_cast<std::size_t>(count));
        read_lines(log);
        log.refused = log.rest.size() > kMaxLineBytes || log.held_bytes > max_held_bytes_;
    }
    if (!log.refused) return;
    log = Log();
    log.refused = true;
}

void KernelNames::read_lines(Log& log) {
    std::size_t begin = 0;
    for (std::size_t end; (end = log.rest.find('\n', begin)) != std::string::npos; begin = end + 1)
        read_line(std::string_view(log.rest).substr(begin, end - begin));
    log.rest.erase(0, begin);
}

void KernelNames::read_line(std::string_view line) {
    const std::vector<std::string_view> words = split(line, '\t');
    const auto number = words.size() > 1 ? number_in<unsigned>(words[1]) : std::nullopt;
    if (!number) return;
    if (words[0] == "program" && words.size() == 3) read_program(*number, words[2]);
    if (words[0] == "enqueue" && words.size() == 9) read_enqueue(*number, words);
    if (words[0] == "freed" && words.size() == 3) read_freed(*number, words[2]);
    if (words[0] != "refused") return;
    auto& enqueues = logs_[process_].enqueues;
    if (const auto found = enqueues.find(*number); found != enqueues.end()) remove(found);
}

void KernelNames::read_freed(unsigned number, std::string_view enqueues) {
    auto& freed = logs_[process_].freed[number];
    logs_[process_].held_bytes += sizeof freed + 2 * enqueues.size();
    for (const std::string_view word : split(enqueues, ','))
        if (const auto enqueue = number_in<unsigned>(word)) freed.push_back(*enqueue);
}

void KernelNames::read_enqueue(unsigned number, std::span<const std::string_view> words) {
    const auto value = [&](std::size_t i) { return number_in<unsigned>(words[i]).value_or(0); };
    Enqueue enqueue;
    LaunchName& launch = enqueue.launch;
    launch.event = number;
    launch.program = value(2);
    launch.context = value(3);
    launch.queue = value(4);
    enqueue.kernel_start = GpuAddr(number_in<std::uint64_t>(words[5]).value_or(0));
    launch.global_size = sizes_in(words[6]);
    launch.local_size = sizes_in(words[7]);
    launch.kernel = words[8];
    Log& log = logs_[process_];
    const auto program = log.programs.find(launch.program);
    if (program == log.programs.end() || launch.kernel.empty() || launch.global_size.empty())
        return;
    launch.build_options = program->second->build_options;
    if (program->second->lines.contains(launch.kernel))
        launch.source = [of = program->second, kernel = launch.kernel](std::uint64_t offset) {
            return place_in(*of, kernel, offset);
        };
    const auto& arguments = program->second->arguments;
    if (const auto of_kernel = arguments.find(launch.kernel); of_kernel != arguments.end())
        launch.arguments = of_kernel->second;
    if (const auto before = log.enqueues.find(number); before != log.enqueues.end()) remove(before);
    log.held_bytes += bytes_of(enqueue);
    log.enqueues.emplace(number, std::move(enqueue));
}

void KernelNames::read_program(unsigned number, std::string_view options) {
    Log& log = logs_[process_];
    const auto program = std::make_shared<Program>();
    log.programs[number] = program;
    program->build_options = options;
    const std::string name = path_of('-' + std::to_string(number));
    const auto read = [&](const char* extension) {
        auto bytes = bytes_of_regular(name + extension, kMaxFileBytes);
        log.held_bytes += bytes.size();
        return bytes;
    };
    program->lines = find_source_lines(read(".dbg"));
    program->arguments = arguments_in(read(".bin"));
    program->source = read(".cl");
    log.held_bytes += options.size() + sizeof(Program);
    program->line_starts = line_starts(program->source);
}

std::size_t KernelNames::bytes_of(const Enqueue& enqueue) {
    return sizeof enqueue + enqueue.launch.kernel.size() + enqueue.launch.build_options.size();
}

KernelNames::Enqueue KernelNames::remove(std::map<unsigned, Enqueue>::iterator found) {
    Log& log = logs_[process_];
    Enqueue enqueue = std::move(found->second);
    log.enqueues.erase(found);
    log.held_bytes -= bytes_of(enqueue);
    return enqueue;
}

SourcePlace KernelNames::place_in(const Program& program, const std::string& kernel,
                                  std::uint64_t offset) {
    const auto lines = program.lines.find(kernel);
    if (lines == program.lines.end()) return {};
    SourcePlace place = place_at(lines->second, offset);
    // Lines of a file with a name are lines of another text.
    if (place.file.empty() && place.line != 0 && place.line <= program.line_starts.size()) {
        const auto begin = program.source.begin() + program.line_starts[place.line - 1];
        place.text = std::string(begin, std::find(begin, program.source.end(), '\n'));
    }
    return place;
}

std::optional<KernelNames::Enqueue> KernelNames::find_submitted(GpuAddr kernel_start) {
    Log& log = logs_[process_];
    auto found = log.enqueues.find(launch_ - 1);
    if (const auto freed = log.freed.find(launch_ - 1); freed != log.freed.end())
        // The next of this kernel. Other kernels are the driver's own.
        for (const unsigned number : freed->second) {
            found = log.enqueues.find(number);
            if (found != log.enqueues.end() && found->second.kernel_start == kernel_start) break;
            found = log.enqueues.end();
        }
    if (found == log.enqueues.end()) return std::nullopt;
    return remove(found);
}

std::optional<LaunchName> KernelNames::take(GpuAddr kernel_start,
                                            const std::array<std::uint32_t, 3>& groups) {
    if (const char* const word = driver_command_word(launch_ - 1)) {
        LaunchName launch;
        launch.by_driver = true;
        launch.kernel = std::string("driver: ") + word;
        return launch;
    }
    refresh();
    if (launch_ != 0) {
        // A driver that splits a launch: its walkers have the name of the whole.
        if (!submitted_) submitted_ = find_submitted(kernel_start);
        if (submitted_ && submitted_->kernel_start == kernel_start) return submitted_->launch;
        // Else a kernel of the driver's own, or one that the runtime did not know to be freed.
        if (!logs_[process_].freed.contains(launch_ - 1)) return std::nullopt;
    }
    auto& enqueues = logs_[process_].enqueues;
    const auto found = std::ranges::find_if(enqueues, [&](const auto& entry) {
        return entry.second.kernel_start == kernel_start && has_groups(entry.second.launch, groups);
    });
    if (found == enqueues.end()) return std::nullopt;
    return remove(found).launch;
}

}  // namespace gen9::platform
