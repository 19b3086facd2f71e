// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "platform/host/program/device_binary.h"
#include "platform/host/program/source_lines.h"
#include "platform/host/tbx/socket.h"
#include "platform/launch_names.h"

namespace gen9::platform {

/// Finds out which enqueue of a program a walker comes from, from what the program's runtime has
/// written (opencl_launches.h): the kernel by its instructions, and of that kernel's enqueues the
/// first that has not been found yet and has as many groups. What it cannot find or read has no
/// name.
class KernelNames {
  public:
    explicit KernelNames(std::string folder) : folder_(std::move(folder)) {}

    /// `code`: from the walker's first instruction on, at least as long as the kernel. `groups`:
    /// what it starts, by dimension.
    std::optional<LaunchName> take(std::span<const std::uint8_t> code,
                                   const std::array<std::uint32_t, 3>& groups);

  private:
    struct Program {
        std::string build_options;
        std::vector<KernelText> kernels;
        std::map<std::string, SourceLines> lines;  ///< by kernel
        std::vector<std::string> source;
    };
    using ProgramKey = std::pair<std::string, unsigned>;  ///< process, number
    struct Enqueue {
        std::string process;
        LaunchName launch;
        bool taken = false;
    };
    struct Log {
        FileDescriptor file;
        std::int64_t read = 0;  ///< bytes
        std::string rest;       ///< of what has been read: the beginning of a line
        unsigned enqueues = 0;
    };

    /// Opens the logs that are new.
    void find_logs();
    /// Reads what has been written since.
    void read_logs();
    std::optional<LaunchName> find(std::span<const std::uint8_t> code,
                                   const std::array<std::uint32_t, 3>& groups);
    void read_line(const std::string& process, const std::string& line);
    void read_program(const std::string& process, unsigned number, const std::string& options);
    LaunchName named(const Enqueue& enqueue) const;
    static SourcePlace place_in(const Program& program, const std::string& kernel,
                                std::uint64_t offset);
    bool is_code_of(const Enqueue& enqueue, std::span<const std::uint8_t> code) const;

    const std::string folder_;
    std::map<std::string, Log> logs_;
    std::map<ProgramKey, std::shared_ptr<const Program>> programs_;
    std::deque<Enqueue> enqueues_;
};

}  // namespace gen9::platform
