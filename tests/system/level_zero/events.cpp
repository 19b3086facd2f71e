// SPDX-License-Identifier: Apache-2.0
// Events of Level Zero that the host signals while the device waits for them: before a copy, by a
// command of their own, and again after a reset. The argument is how many milliseconds each comes
// late. What waits has not happened before, and has happened with the right data after.
#include <array>
#include <chrono>
#include <cstring>
#include <thread>

#include "tests/system/level_zero/device.h"

namespace {

using level_zero::check;

constexpr std::size_t kWords = 1024;
constexpr std::uint64_t kLong = 60'000'000'000;

class Program {
  public:
    explicit Program(unsigned milliseconds) : late_(milliseconds) {
        ze_event_pool_desc_t pool{};
        pool.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC;
        pool.flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE;
        pool.count = static_cast<std::uint32_t>(events_.size());
        ze_device_handle_t device = device_.device;
        ze_event_pool_handle_t made;
        check(zeEventPoolCreate(device_.context, &pool, 1, &device, &made), "zeEventPoolCreate");
        for (std::uint32_t i = 0; i < events_.size(); ++i) {
            ze_event_desc_t desc{};
            desc.stype = ZE_STRUCTURE_TYPE_EVENT_DESC;
            desc.index = i;
            desc.signal = desc.wait = ZE_EVENT_SCOPE_FLAG_HOST;
            check(zeEventCreate(made, &desc, &events_[i]), "zeEventCreate");
        }
        for (auto& buffer : buffers_)
            buffer = static_cast<std::uint32_t*>(device_.host_memory(kWords * 4));
        record();
    }

    /// Wrong words, and events that came too early.
    unsigned round(std::uint32_t first) {
        auto [begin, between, end] = buffers_;
        for (std::uint32_t i = 0; i < kWords; ++i)
            begin[i] = first + 3 * i;
        std::memset(between, 0, kWords * 4);
        std::memset(end, 0, kWords * 4);
        check(zeCommandQueueExecuteCommandLists(queue_, 1, &list_, nullptr),
              "zeCommandQueueExecuteCommandLists");
        auto [copy, copied, wait, all] = events_;
        unsigned wrong = signal(copy, copied) + differ(between, first);
        wrong += signal(wait, all) + differ(end, first);
        check(zeCommandQueueSynchronize(queue_, kLong), "zeCommandQueueSynchronize");
        for (const ze_event_handle_t event : events_)
            check(zeEventHostReset(event), "zeEventHostReset");
        return wrong;
    }

  private:
    /// Not an immediate list: the driver waits for the end of what is appended to one.
    void record() {
        ze_command_queue_desc_t queue{};
        queue.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
        queue.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
        check(zeCommandQueueCreate(device_.context, device_.device, &queue, &queue_),
              "zeCommandQueueCreate");
        ze_command_list_desc_t list{};
        list.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC;
        check(zeCommandListCreate(device_.context, device_.device, &list, &list_),
              "zeCommandListCreate");
        auto [begin, between, end] = buffers_;
        auto [copy, copied, wait, all] = events_;
        check(zeCommandListAppendMemoryCopy(list_, between, begin, kWords * 4, copied, 1, &copy),
              "zeCommandListAppendMemoryCopy");
        check(zeCommandListAppendWaitOnEvents(list_, 1, &wait), "zeCommandListAppendWaitOnEvents");
        check(zeCommandListAppendMemoryCopy(list_, end, between, kWords * 4, all, 0, nullptr),
              "zeCommandListAppendMemoryCopy");
        check(zeCommandListClose(list_), "zeCommandListClose");
    }
    unsigned signal(ze_event_handle_t event, ze_event_handle_t done) const {
        std::this_thread::sleep_for(std::chrono::milliseconds(late_));
        const bool early = zeEventQueryStatus(done) != ZE_RESULT_NOT_READY;
        check(zeEventHostSignal(event), "zeEventHostSignal");
        check(zeEventHostSynchronize(done, kLong), "zeEventHostSynchronize");
        return early;
    }
    static unsigned differ(const std::uint32_t* words, std::uint32_t first) {
        unsigned wrong = 0;
        for (std::uint32_t i = 0; i < kWords; ++i)
            wrong += words[i] != first + 3 * i;
        return wrong;
    }

    unsigned late_;
    level_zero::Device device_;
    ze_command_queue_handle_t queue_{};
    ze_command_list_handle_t list_{};
    std::array<ze_event_handle_t, 4> events_{};
    std::array<std::uint32_t*, 3> buffers_{};
};

}  // namespace

int main(int argc, char** argv) {
    Program program(argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 100);
    unsigned wrong = 0;
    for (std::uint32_t n = 0; n < 3; ++n)
        wrong += program.round(1000 * n + 1);
    std::printf("level_zero_events: %u wrong: %s\n", wrong, wrong ? "FAIL" : "PASS");
    return wrong ? 1 : 0;
}
