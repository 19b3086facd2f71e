// SPDX-License-Identifier: Apache-2.0
/// Every request of the kernel interface with right and wrong arguments.
///
///   drm_requests threads THREADS ROUNDS   from several threads, each with a file of its own;
///                                         meanwhile nonsense goes to a file that all share
///   drm_requests many COUNT               buffers
///   drm_requests processes                fork and exec
///   drm_requests shared                   buffers of two processes
///   drm_requests mapped                   buffers that are mapped while the machine uses them
///   drm_requests waits KIND MILLISECONDS  batches that wait for the program
///   drm_requests program KIND             a program that changes its user, environment, ...
///   drm_requests killed                   the machine's process is killed
///   drm_requests hang                     a batch that never ends
///   drm_requests limits                   more contexts and buffers than there is room for
///   drm_requests performance              performance counters
///   drm_requests descriptors              numbers of files that are closed and used again
///   drm_requests user_memory              the program's memory, where it maps other memory
///   drm_requests raw_descriptors          descriptors that no message needs, without the library
///   drm_requests raw_bindings             large buffers in many address spaces, without it
///   drm_requests copies [slow] [wait]     a batch of the copy engine that never ends
#include "tests/system/drm/requests/requests.h"

#include <cstdlib>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace requests {
namespace {

/// Anything but what may wait for ever, or makes the memory of the program's a buffer.
void nonsense(int file, unsigned seed, unsigned times) {
    std::minstd_rand random(seed);
    for (unsigned i = 0; i < times; ++i) {
        std::uint64_t argument[32];
        for (auto& word : argument) {
            constexpr std::uint64_t kPick[] = {0, 1, 2, 3, 16, 4096, 1ull << 32, ~0ull};
            word = random() % 3 ? kPick[random() % 8] : random();
        }
        const unsigned number = random() % 0xD0, of_driver = number - DRM_COMMAND_BASE;
        const bool waits = (number >= 0xC1 && number <= 0xC3) || number == 0xCA;
        if (waits || of_driver == DRM_I915_GEM_USERPTR || of_driver == DRM_I915_GEM_EXECBUFFER2 ||
            of_driver == DRM_I915_GEM_MMAP)
            continue;
        const unsigned long size = random() % sizeof argument;
        errno_of(file, _IOC(_IOC_READ | _IOC_WRITE, DRM_IOCTL_BASE, number, size),
                 random() % 8 ? argument : nowhere());
    }
}

void from_threads(unsigned threads, unsigned rounds) {
    const int shared = open_device();
    std::vector<std::thread> all;
    for (unsigned t = 0; t < threads; ++t)
        all.emplace_back([=] {
            for (unsigned round = 0; round < rounds; ++round) {
                const std::uint32_t number = t * 1000 + round + 1;
                const int file = open_device();
                of_the_device(file);
                of_buffers(file);
                of_contexts(file);
                of_syncs(file);
                of_sync_files(file);
                of_submissions(file, number);
                of_tilings(file);
                of_other_engines(file, number);
                of_placement(file, number);
                nonsense(shared, number, 200);
                close(file);
                EXPECT(errno_of(file, DRM_IOCTL_VERSION, nowhere()) != 0, true);
            }
        });
    for (auto& thread : all)
        thread.join();
    close(shared);
}

}  // namespace
}  // namespace requests

int main(int count, char** values) {
    using namespace requests;
    const std::string part = count > 1 ? values[1] : "";
    bool part_known = true;
    const auto number = [&](int at) {
        return count > at ? static_cast<unsigned>(std::atoi(values[at])) : 0;
    };
    const auto has = [&](int at, const char* word) {
        return count > at && std::string(values[at]) == word;
    };
    if (part == "threads")
        from_threads(number(2), number(3));
    else if (part == "many")
        of_many_buffers(number(2)), of_untouched_buffer();
    else if (part == "processes")
        of_processes(values[0]);
    else if (part == "started")
        of_started_process(static_cast<int>(number(2)));
    else if (part == "shared")
        of_shared_tilings(), of_shared_buffers();
    else if (part == "mapped")
        of_busy_mappings();
    else if (part == "waits")
        of_host_waits(count > 2 ? values[2] : "all", number(3));
    else if (part == "program" && count > 2)
        part_known = of_program_kind(values[2], values[0]);
    else if (part == "killed")
        of_killed_machine();
    else if (part == "hang")
        of_hang();
    else if (part == "limits")
        of_limits();
    else if (part == "performance")
        of_performance();
    else if (part == "descriptors")
        of_descriptors();
    else if (part == "user_memory")
        of_user_memory();
    else if (part == "raw_descriptors")
        of_raw_descriptors();
    else if (part == "raw_bindings")
        of_raw_bindings();
    else if (part == "copies")
        of_endless_copies(has(2, "slow"), has(2, "wait") || has(3, "wait"));
    else
        part_known = false;
    if (!part_known) return 2;
    std::printf("%s: %u requests, %u wrong answers\n", part.c_str(), g_asked.load(),
                g_wrong.load());
    return g_wrong || !g_asked ? 1 : 0;
}
