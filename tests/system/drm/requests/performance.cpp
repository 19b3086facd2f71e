// SPDX-License-Identifier: Apache-2.0
/// Requests about performance counters: sets of what is counted, and streams of reports. Expected
/// answers and errors are those of i915 (Public: Linux 6.1, i915_perf.c and i915_query.c).
#include <poll.h>
#include <sys/stat.h>

#include <array>
#include <cstring>
#include <span>
#include <utility>

#include "tests/system/drm/requests/requests.h"

namespace requests {
namespace {

using Pair = std::pair<std::uint64_t, std::uint64_t>;
constexpr const char* kUuid = "01234567-0123-0123-0123-0123456789ab";
constexpr std::uint32_t kMux[] = {0x9888, 0x1234, 0x9840, 0x80};
constexpr std::uint32_t kBoolean[] = {0x2710, 0, 0x2714, 0x00800000};
constexpr std::uint32_t kFlex[] = {0xE458, 0x5004, 0xE558, 0x10003};
/// Known to the context; written as one comes or goes; by the timer.
constexpr std::uint32_t kKnown = 1u << 16, kSwitch = 1u << 22, kTimer = 1u << 19;

template <std::size_t n>
void put(__u64& place, __u32& count, const std::uint32_t (&registers)[n]) {
    place = address_of(registers);
    count = n / 2;
}
drm_i915_perf_oa_config some_set(const char* uuid = kUuid) {
    drm_i915_perf_oa_config set{};
    std::memcpy(set.uuid, uuid, sizeof set.uuid);
    put(set.mux_regs_ptr, set.n_mux_regs, kMux);
    put(set.boolean_regs_ptr, set.n_boolean_regs, kBoolean);
    put(set.flex_regs_ptr, set.n_flex_regs, kFlex);
    return set;
}
/// The number of the set, or the error, negative.
long add(int file, drm_i915_perf_oa_config set) {
    ++g_asked;
    const long number = ioctl(file, DRM_IOCTL_I915_PERF_ADD_CONFIG, &set);
    return number < 0 ? -errno : number;
}
long remove(int file, std::uint64_t number) {
    return errno_of(file, DRM_IOCTL_I915_PERF_REMOVE_CONFIG, &number);
}
std::string metric(const char* uuid) {
    return std::string("/sys/class/drm/card0/metrics/") + uuid + "/id";
}
long number_in_sysfs(const char* uuid) {
    char text[16]{};
    const int file = open(metric(uuid).c_str(), O_RDONLY);
    if (file < 0) return -errno;
    const bool got = read(file, text, sizeof text - 1) > 0;
    close(file);
    return got ? std::atol(text) : 0;
}

void of_sets(int file) {
    auto set = some_set();
    set.n_mux_regs = set.n_boolean_regs = set.n_flex_regs = 0;
    EXPECT(add(file, set), -EINVAL);
    set = some_set();
    set.uuid[8] = '0';
    EXPECT(add(file, set), -EINVAL);
    set = some_set("../23456-0123-0123-0123-0123456789ab");
    EXPECT(add(file, set), -EINVAL);
    set = some_set();
    set.mux_regs_ptr = 16;
    EXPECT(add(file, set), -EFAULT);
    // Registers of another kind, and one that programs must not have.
    set = some_set();
    put(set.mux_regs_ptr, set.n_mux_regs, kFlex);
    EXPECT(add(file, set), -EINVAL);
    set = some_set();
    constexpr std::uint32_t kForbidden[] = {0x2710, 0, 0x2B00, 1};
    put(set.boolean_regs_ptr, set.n_boolean_regs, kForbidden);
    EXPECT(add(file, set), -EINVAL);
    set = some_set();
    put(set.flex_regs_ptr, set.n_flex_regs, kMux);
    EXPECT(add(file, set), -EINVAL);
    EXPECT(number_in_sysfs(kUuid), -ENOENT);

    const long number = add(file, some_set());
    EXPECT(number >= 2, true);
    EXPECT(number_in_sysfs(kUuid), number);
    EXPECT(add(file, some_set()), -EADDRINUSE);
    constexpr const char* kOther = "ABCDEF67-0123-0123-0123-0123456789ab";
    const long other = add(file, some_set(kOther));
    EXPECT(other > number, true);
    EXPECT(remove(file, 4711), ENOENT);
    EXPECT(remove(file, ~0ull), ENOENT);
    EXPECT(remove(file, 0), ENOENT);
    EXPECT(errno_of(file, DRM_IOCTL_I915_PERF_REMOVE_CONFIG, nowhere()), EFAULT);

    // The same by queries.
    drm_i915_query_item item{};
    const auto query = [&](std::uint32_t flags, void* data, std::int32_t length) {
        item = {DRM_I915_QUERY_PERF_CONFIG, length, flags, address_of(data)};
        ASK(DRM_IOCTL_I915_QUERY, 0, drm_i915_query{1, 0, address_of(&item)});
        return item.length;
    };
    alignas(8) std::array<std::uint8_t, 4096> data{};
    // What follows the head begins behind its padding.
    auto& head = *reinterpret_cast<drm_i915_query_perf_config*>(data.data());
    const auto list = query(DRM_I915_QUERY_PERF_CONFIG_LIST, nullptr, 0);
    EXPECT(query(DRM_I915_QUERY_PERF_CONFIG_LIST, data.data(), list), list);
    EXPECT(query(DRM_I915_QUERY_PERF_CONFIG_LIST, data.data(), 8), -EINVAL);
    EXPECT(query(DRM_I915_QUERY_PERF_CONFIG_LIST, nowhere(), list), -EFAULT);
    EXPECT(query(77, data.data(), list), -EINVAL);
    EXPECT(query(DRM_I915_QUERY_PERF_CONFIG_LIST, data.data(), list), list);
    unsigned found = 0;
    for (std::uint64_t i = 0; i < head.n_configs && i < 200; ++i) {
        std::uint64_t one = 0;
        std::memcpy(&one, data.data() + sizeof head + 8 * i, sizeof one);
        found += static_cast<long>(one) == number || static_cast<long>(one) == other;
    }
    EXPECT(found, 2);
    const auto bytes = static_cast<std::int32_t>(sizeof head + sizeof(drm_i915_perf_oa_config));
    EXPECT(query(DRM_I915_QUERY_PERF_CONFIG_DATA_FOR_ID, nullptr, 0), bytes);
    data = {};
    std::memcpy(head.uuid, kUuid, sizeof head.uuid);
    EXPECT(query(DRM_I915_QUERY_PERF_CONFIG_DATA_FOR_UUID, data.data(), bytes), bytes);
    auto& given = *reinterpret_cast<drm_i915_perf_oa_config*>(data.data() + sizeof head);
    EXPECT(given.n_mux_regs, 2);
    EXPECT(given.n_flex_regs, 2);
    std::uint32_t registers[4]{};
    given.mux_regs_ptr = address_of(registers);
    given.n_flex_regs = 0;
    given.n_boolean_regs = 1;
    EXPECT(query(DRM_I915_QUERY_PERF_CONFIG_DATA_FOR_UUID, data.data(), bytes), -EINVAL);
    given.n_boolean_regs = given.n_flex_regs = 0;
    EXPECT(query(DRM_I915_QUERY_PERF_CONFIG_DATA_FOR_UUID, data.data(), bytes), bytes);
    EXPECT(std::memcmp(registers, kMux, sizeof registers), 0);
    head.config = 4711;
    EXPECT(query(DRM_I915_QUERY_PERF_CONFIG_DATA_FOR_ID, data.data(), bytes), -ENOENT);

    EXPECT(remove(file, static_cast<std::uint64_t>(number)), 0);
    EXPECT(remove(file, static_cast<std::uint64_t>(number)), ENOENT);
    EXPECT(number_in_sysfs(kUuid), -ENOENT);
    EXPECT(remove(file, static_cast<std::uint64_t>(other)), 0);
}

/// The descriptor of a stream, or the error, negative.
int open_stream(int file, std::vector<Pair> properties, std::uint32_t flags) {
    ++g_asked;
    drm_i915_perf_open_param a{flags, static_cast<__u32>(properties.size()),
                               address_of(properties.data())};
    const int stream = ioctl(file, DRM_IOCTL_I915_PERF_OPEN, &a);
    return stream < 0 ? -errno : stream;
}

constexpr std::uint32_t kFlags = I915_PERF_FLAG_FD_CLOEXEC | I915_PERF_FLAG_FD_NONBLOCK;

std::vector<Pair> usual(std::uint64_t set) {
    return {{DRM_I915_PERF_PROP_SAMPLE_OA, 1},
            {DRM_I915_PERF_PROP_OA_METRICS_SET, set},
            {DRM_I915_PERF_PROP_OA_FORMAT, I915_OA_FORMAT_A32u40_A4u32_B8_C8}};
}

void of_wrong_streams(int file, std::uint64_t set) {
    const auto with = [&](std::uint64_t id, std::uint64_t value) {
        auto properties = usual(set);
        properties.emplace_back(id, value);
        return open_stream(file, properties, kFlags);
    };
    EXPECT(open_stream(file, usual(set), 8), -EINVAL);
    EXPECT(open_stream(file, {}, kFlags), -EINVAL);
    EXPECT(open_stream(file, usual(4711), kFlags), -EINVAL);
    EXPECT(open_stream(file, usual(0), kFlags), -EINVAL);
    drm_i915_perf_open_param nowhere_given{kFlags, 3, 16};
    EXPECT(errno_of(file, DRM_IOCTL_I915_PERF_OPEN, &nowhere_given), EFAULT);
    drm_i915_perf_open_param too_many{kFlags, DRM_I915_PERF_PROP_MAX, 16};
    EXPECT(errno_of(file, DRM_IOCTL_I915_PERF_OPEN, &too_many), EINVAL);
    EXPECT(with(0, 1), -EINVAL);
    EXPECT(with(DRM_I915_PERF_PROP_MAX, 1), -EINVAL);
    EXPECT(with(DRM_I915_PERF_PROP_OA_FORMAT, 0), -EINVAL);
    EXPECT(with(DRM_I915_PERF_PROP_OA_FORMAT, I915_OA_FORMAT_A45_B8_C8), -EINVAL);
    EXPECT(with(DRM_I915_PERF_PROP_OA_EXPONENT, 32), -EINVAL);
    EXPECT(with(DRM_I915_PERF_PROP_CTX_HANDLE, 4711), -ENOENT);
    EXPECT(with(DRM_I915_PERF_PROP_HOLD_PREEMPTION, 1), -EINVAL);
    EXPECT(with(DRM_I915_PERF_PROP_POLL_OA_PERIOD, 99'999), -EINVAL);
    EXPECT(with(DRM_I915_PERF_PROP_GLOBAL_SSEU, 16), -EFAULT);
    drm_i915_gem_context_param_sseu sseu{};
    EXPECT(with(DRM_I915_PERF_PROP_GLOBAL_SSEU, address_of(&sseu)), -EINVAL);
    auto without_samples = usual(set);
    without_samples[0].second = 0;
    EXPECT(open_stream(file, without_samples, kFlags), -EINVAL);
    auto without_format = usual(set);
    without_format.pop_back();
    EXPECT(open_stream(file, without_format, kFlags), -EINVAL);
}

struct Record {
    drm_i915_perf_record_header header;
    std::uint32_t report[64];
};

/// What a read gives, or the error, negative.
long read_from(int stream, void* to, std::size_t bytes) {
    ++g_asked;
    const ssize_t got = read(stream, to, bytes);
    return got < 0 ? -errno : got;
}

bool readable(int stream) {
    pollfd watched{stream, POLLIN, 0};
    return poll(&watched, 1, 0) == 1 && watched.revents == POLLIN;
}

void of_streams(int file, std::uint64_t set) {
    auto properties = usual(set);
    properties.emplace_back(DRM_I915_PERF_PROP_CTX_HANDLE, 0);
    properties.emplace_back(DRM_I915_PERF_PROP_HOLD_PREEMPTION, 1);
    const int stream = open_stream(file, properties, kFlags | I915_PERF_FLAG_DISABLED);
    EXPECT(stream >= 0, true);
    EXPECT(fcntl(stream, F_GETFD), FD_CLOEXEC);
    EXPECT((fcntl(stream, F_GETFL) & O_NONBLOCK) != 0, true);
    EXPECT(open_stream(file, properties, kFlags), -EBUSY);
    std::array<Record, 64> records{};
    EXPECT(read_from(stream, records.data(), sizeof records), -EIO);
    EXPECT(errno_of(stream, I915_PERF_IOCTL_ENABLE, nullptr), 0);
    EXPECT(errno_of(stream, _IO('i', 7), nullptr), EINVAL);
    EXPECT(read_from(stream, records.data(), sizeof records), -EAGAIN);
    EXPECT(readable(stream), false);

    Batch batch(file, 0x4000'0000);
    drm_i915_gem_context_create other{};
    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &other), 0);
    EXPECT(batch.submit(1), 0);
    EXPECT(batch.submit(2, other.ctx_id), 0);
    EXPECT(batch.submit(3), 0);
    EXPECT(batch.result(), 3);
    EXPECT(readable(stream), true);
    EXPECT(read_from(stream, records.data(), sizeof records[0] - 1), -ENOSPC);
    EXPECT(read_from(stream, nowhere(), sizeof records), -EFAULT);
    // The context came and went, so did the other, whose number is hidden, and it came again.
    const long bytes = read_from(stream, records.data(), sizeof records);
    EXPECT(bytes, 6 * sizeof records[0]);
    for (unsigned n = 0; n < 6; ++n) {
        const Record& record = records[n];
        EXPECT(record.header.type, DRM_I915_PERF_RECORD_SAMPLE);
        EXPECT(record.header.size, sizeof record);
        EXPECT(record.report[0] & (kSwitch | kKnown), kSwitch | (n % 2 == 0 ? kKnown : 0));
        if (n > 0) EXPECT(records[n].report[1] - records[n - 1].report[1] < 1u << 31, true);
        if (n % 4 != 0) EXPECT(record.report[2], ~0u);
    }
    const std::uint32_t own = records[0].report[2];
    EXPECT(records[4].report[2], own);
    EXPECT(own != ~0u, true);
    EXPECT(read_from(stream, records.data(), sizeof records), -EAGAIN);

    EXPECT(ioctl(stream, I915_PERF_IOCTL_CONFIG, 4711), -1);
    EXPECT(errno, EINVAL);
    EXPECT(ioctl(stream, I915_PERF_IOCTL_CONFIG, set), set);
    const int copy = dup(stream);
    close(stream);
    EXPECT(open_stream(file, properties, kFlags), -EBUSY);
    EXPECT(read_from(copy, records.data(), sizeof records), -EAGAIN);
    EXPECT(errno_of(copy, I915_PERF_IOCTL_DISABLE, nullptr), 0);
    EXPECT(batch.submit(4), 0);
    EXPECT(batch.result(), 4);
    EXPECT(readable(copy), false);
    EXPECT(read_from(copy, records.data(), sizeof records), -EIO);
    close(copy);
}

/// By the timer, of all contexts, more than the socket has room for: nothing is lost that the
/// buffer of 16 MB holds.
void of_timers(int file, std::uint64_t set) {
    auto properties = usual(set);
    // Who is no superuser gets 100,000 in a second, fewer than these short batches would see.
    const bool may_do_all = geteuid() == 0;
    properties.emplace_back(DRM_I915_PERF_PROP_OA_EXPONENT, 0);
    if (!may_do_all) {
        EXPECT(open_stream(file, properties, I915_PERF_FLAG_FD_CLOEXEC), -EACCES);
        properties.back().second = 6;
    }
    const int stream = open_stream(file, properties, I915_PERF_FLAG_FD_CLOEXEC);
    EXPECT(stream >= 0, true);
    Batch batch(file, 0x4000'0000);
    constexpr unsigned kBatches = 300;
    for (unsigned i = 1; i <= kBatches; ++i)
        EXPECT(batch.submit(i), 0);
    EXPECT(batch.result(), kBatches);
    unsigned switches = 0, timers = 0, others = 0;
    std::uint32_t last = 0;
    // It blocks: all that is known to come is waited for.
    while (switches < 2 * kBatches) {
        std::array<Record, 16> records{};
        const long bytes = read_from(stream, records.data(), sizeof records);
        if (bytes <= 0) {
            EXPECT(bytes, 0);
            break;
        }
        for (const Record& record :
             std::span(records).first(static_cast<std::size_t>(bytes) / sizeof(Record))) {
            switches += (record.report[0] & kSwitch) != 0;
            timers += (record.report[0] & kTimer) != 0;
            others += record.header.type != DRM_I915_PERF_RECORD_SAMPLE;
            if (last) EXPECT(record.report[1] - last < 1u << 31, true);
            last = record.report[1];
        }
    }
    EXPECT(switches, 2 * kBatches);
    EXPECT(timers > 0, may_do_all);
    EXPECT(others, 0);
    close(stream);
}

}  // namespace

void of_performance() {
    const int file = open_device();
    int revision = 0;
    ASK(DRM_IOCTL_I915_GETPARAM, 0, drm_i915_getparam{I915_PARAM_PERF_REVISION, &revision});
    EXPECT(revision, 5);
    struct stat found {};
    EXPECT(stat("/proc/sys/dev/i915/perf_stream_paranoid", &found), 0);
    of_sets(file);
    const long set = add(file, some_set());
    EXPECT(set >= 2, true);
    of_wrong_streams(file, static_cast<std::uint64_t>(set));
    of_streams(file, static_cast<std::uint64_t>(set));
    of_timers(file, static_cast<std::uint64_t>(set));
    // A stream keeps what is counted, though the set is gone; one that is closed by the system
    // alone leaves the unit to the next.
    const int stream = open_stream(file, usual(static_cast<std::uint64_t>(set)), kFlags);
    EXPECT(remove(file, static_cast<std::uint64_t>(set)), 0);
    EXPECT(errno_of(stream, I915_PERF_IOCTL_DISABLE, nullptr), 0);
    close(stream);
    close(file);
}

}  // namespace requests
