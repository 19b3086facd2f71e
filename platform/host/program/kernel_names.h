// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "platform/host/program/source_lines.h"
#include "platform/host/socket.h"
#include "platform/tell/launch_names.h"

namespace gen9::platform {

/// Finds out which enqueue of a program a walker comes from, from what the program's runtime has
/// written (opencl_launches.h) and the door tells (OnLaunch). Programs have a copy of a kernel for
/// each cl_program, so its address says the context too. Launches that a user's event frees
/// are submitted outside of their enqueues, in an order that the runtime has written. One of which
/// nothing is known is the first enqueue of its kernel that has as many groups and has not been
/// found. What cannot be found or read has no name. A kernel of the driver's own is called by the
/// command that it carries out.
/// Input    a program owns the folder and may put anything there: only regular files of this user
///          are read (the superuser's: of any user), and of what has no end only the beginning.
class KernelNames {
  public:
    /// So much is kept of a process at most: texts of its programs, enqueues whose launches have
    /// not come, and what events have freed.
    static constexpr std::size_t kMaxHeldBytes = 512 << 20;
    explicit KernelNames(std::string folder, std::size_t max_held_bytes = kMaxHeldBytes)
        : folder_(std::move(folder)), max_held_bytes_(max_held_bytes) {}

    /// A submission: of an enqueue of a process, or of what is freed, from 1; 0: unknown.
    void submits(std::uint32_t process, std::uint32_t launch);
    /// The enqueue of a walker: its kernel's address, and the groups it starts by dimension.
    std::optional<LaunchName> take(GpuAddr kernel_start,
                                   const std::array<std::uint32_t, 3>& groups);

  private:
    struct Program {
        std::string build_options;
        std::map<std::string, SourceLines> lines;                      ///< by kernel
        std::map<std::string, std::vector<LaunchArgument>> arguments;  ///< by kernel
        std::vector<std::uint8_t> source;
        std::vector<std::uint32_t> line_starts;  ///< in it
    };
    struct Enqueue {
        LaunchName launch;
        GpuAddr kernel_start;
    };
    /// A process has written this.
    struct Log {
        FileDescriptor file;
        std::int64_t read = 0;  ///< bytes
        std::string rest;       ///< of what has been read: the beginning of a line
        std::map<unsigned, std::shared_ptr<const Program>> programs;
        std::map<unsigned, Enqueue> enqueues;  ///< that have not been found
        std::map<unsigned, std::vector<unsigned>> freed;
        std::size_t held_bytes = 0;  ///< of programs, enqueues and what was freed
        bool refused = false;        ///< it is no log: nothing of it is read or known any more
    };

    std::string path_of(const std::string& name) const;
    /// Reads what the process has written since.
    void refresh();
    void read_lines(Log& log);
    void read_line(std::string_view line);
    void read_program(unsigned number, std::string_view options);
    void read_freed(unsigned number, std::string_view enqueues);
    std::optional<Enqueue> find_submitted(GpuAddr kernel_start);
    static std::size_t bytes_of(const Enqueue& enqueue);
    /// Takes one of the process's enqueues out of its log.
    Enqueue remove(std::map<unsigned, Enqueue>::iterator found);
    void read_enqueue(unsigned number, std::span<const std::string_view> words);
    static SourcePlace place_in(const Program& program, const std::string& kernel,
                                std::uint64_t offset);

    const std::string folder_;
    const std::size_t max_held_bytes_;
    std::map<std::uint32_t, Log> logs_;  ///< by process
    std::uint32_t process_ = 0, launch_ = 0;
    std::optional<Enqueue> submitted_;  ///< what is submitted, once it has been found
};

}  // namespace gen9::platform
