// SPDX-License-Identifier: Apache-2.0
/// Requests about the performance counters: streams of reports, and sets of what is counted.
/// Role     a stream is a socket: the server puts records into it, a packet each. So poll() and its
///          like know it by themselves, and read() is told what else i915 answers.
/// Spec     Public: Linux i915 (i915_perf.c, i915_query.c)
#include <drm.h>
#include <fcntl.h>
#include <i915_drm.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <span>
#include <utility>

#include "platform/host/drm/counter_registers.h"
#include "platform/host/drm/library/process/program_memory.h"
#include "platform/host/drm/library/process/real.h"
#include "platform/host/drm/library/requests/counter_sets.h"
#include "platform/host/drm/library/requests/ioctls.h"

namespace gen9::drm {
namespace {

constexpr std::uint64_t kMaxExponent = 31;
constexpr std::uint64_t kMinPollPeriod = 100'000;  // nanoseconds

/// Layouts of reports that Gen9 has, as OACONTROL numbers them; -1: it has none of this name.
int layout_of(std::uint64_t format) {
    switch (format) {
        case I915_OA_FORMAT_A12:
            return 0;
        case I915_OA_FORMAT_A12_B8_C8:
            return 2;
        case I915_OA_FORMAT_A32u40_A4u32_B8_C8:
            return 5;
        case I915_OA_FORMAT_C4_B8:
            return 7;
        default:
            return -1;
    }
}

bool may_do_all() {
    return geteuid() == 0;
}

struct Properties {
    bool samples = false, of_one_context = false, holds_preemption = false, periodic = false;
    std::uint32_t context = 0;
    int layout = -1;
    std::uint64_t set = 0, exponent = 0;
};

/// The machine can be asked for its own width only; other valid ones change nothing here.
int check_sseu(const Facts& facts, std::uint64_t place) {
    drm_i915_gem_context_param_sseu sseu;
    if (!copy_in(place, sseu)) return EFAULT;
    const bool is_render =
        sseu.engine.engine_class == I915_ENGINE_CLASS_RENDER && sseu.engine.engine_instance == 0;
    const std::uint64_t slices = (1u << facts.slices) - 1, subslices = (1u << facts.subslices) - 1;
    const bool is_valid = sseu.slice_mask && sseu.subslice_mask && sseu.min_eus_per_subslice &&
                          sseu.max_eus_per_subslice >= sseu.min_eus_per_subslice &&
                          sseu.max_eus_per_subslice <= facts.eus && !(sseu.slice_mask & ~slices) &&
                          !(sseu.subslice_mask & ~subslices);
    return is_render && is_valid ? 0 : EINVAL;
}

int read_properties(const Facts& facts, const drm_i915_perf_open_param& a, Properties& out) {
    if (a.num_properties == 0 || a.num_properties >= DRM_I915_PERF_PROP_MAX) return EINVAL;
    for (std::uint32_t i = 0; i < a.num_properties; ++i) {
        std::uint64_t pair[2];
        if (!copy_in(a.properties_ptr + i * sizeof pair, pair)) return EFAULT;
        const auto& [id, value] = pair;
        switch (id) {
            case DRM_I915_PERF_PROP_CTX_HANDLE:
                out.of_one_context = true;
                out.context = static_cast<std::uint32_t>(value);
                break;
            case DRM_I915_PERF_PROP_SAMPLE_OA:
                out.samples |= value != 0;
                break;
            case DRM_I915_PERF_PROP_OA_METRICS_SET:
                if (value == 0) return EINVAL;
                out.set = value;
                break;
            case DRM_I915_PERF_PROP_OA_FORMAT:
                out.layout = layout_of(value);
                if (out.layout < 0) return EINVAL;
                break;
            case DRM_I915_PERF_PROP_OA_EXPONENT:
                if (value > kMaxExponent) return EINVAL;
                if (facts.timestamp_hz / (std::uint64_t{2} << value) > kMaxReportHz &&
                    !may_do_all())
                    return EACCES;
                out.periodic = true;
                out.exponent = value;
                break;
            case DRM_I915_PERF_PROP_HOLD_PREEMPTION:
                out.holds_preemption = value != 0;
                break;
            case DRM_I915_PERF_PROP_GLOBAL_SSEU:
                if (const int error = check_sseu(facts, value)) return error;
                break;
            case DRM_I915_PERF_PROP_POLL_OA_PERIOD:
                if (value < kMinPollPeriod) return EINVAL;
                break;
            default:
                return EINVAL;
        }
    }
    return 0;
}

bool say(Device& all, Kind kind, std::uint32_t id = 0, std::uint64_t number = 0) {
    Message message;
    message.kind = kind;
    message.id = id;
    message.number = number;
    return all.connection.send(message);
}

bool send_set(Device& all, const CounterSet& set) {
    bool sent = true;
    for (const auto* registers : {&set.mux, &set.boolean, &set.flex})
        for (const auto& [offset, value] : *registers)
            sent = sent && say(all, Kind::StreamSet, offset, value);
    return sent;
}

/// The context's slot of the render engine; none: ENODEV.
int render_context(Device& all, Context& context, std::uint32_t& number) {
    std::uint32_t engine = 0;
    if (!context.has_engines)
        return hardware_context(all, context, I915_EXEC_RENDER, number, engine);
    for (std::uint32_t slot = 0; slot < context.engines.size(); ++slot)
        if (context.engines[slot].type == I915_ENGINE_CLASS_RENDER)
            return hardware_context(all, context, slot, number, engine);
    return ENODEV;
}

void set_running(Device& all, PerfStream& stream, bool on) {
    if (std::exchange(stream.enabled, on) != on) say(all, Kind::StreamRun, 0, on);
}

int check_registers(std::uint64_t place, std::uint32_t count,
                    std::span<const CounterRegisters> allowed, CounterSet::Registers& out) {
    if (count > CounterSet::kMostRegisters) return ENOMEM;
    for (std::uint32_t i = 0; i < count; ++i) {
        std::uint32_t offset = 0, value = 0;
        if (!copy_in(place + 8 * std::uint64_t{i}, offset)) return EFAULT;
        if (!is_one_of(allowed, offset)) return EINVAL;
        if (!copy_in(place + 8 * std::uint64_t{i} + 4, value)) return EFAULT;
        out.emplace_back(offset, value);
    }
    return 0;
}

bool is_uuid(std::span<const char> text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (dash ? text[i] != '-' : !std::isxdigit(static_cast<unsigned char>(text[i])))
            return false;
    }
    return true;
}

int read_set(const drm_i915_perf_oa_config& a, CounterSet& set) {
    if ((!a.mux_regs_ptr || !a.n_mux_regs) && (!a.boolean_regs_ptr || !a.n_boolean_regs) &&
        (!a.flex_regs_ptr || !a.n_flex_regs))
        return EINVAL;
    if (!is_uuid(a.uuid)) return EINVAL;
    std::memcpy(set.uuid.data(), a.uuid, set.uuid.size());
    if (const int error = check_registers(a.mux_regs_ptr, a.n_mux_regs, kMuxRegisters, set.mux))
        return error;
    if (const int error =
            check_registers(a.boolean_regs_ptr, a.n_boolean_regs, kBooleanRegisters, set.boolean))
        return error;
    return check_registers(a.flex_regs_ptr, a.n_flex_regs, kFlexRegisters, set.flex);
}

/// A list of registers for the program: how many there are, or themselves if it has room.
int give_registers(std::uint64_t place, __u32& count, const CounterSet::Registers& registers) {
    const auto all = static_cast<__u32>(registers.size());
    const __u32 room = std::exchange(count, all);
    if (room == 0) return 0;
    if (room < all) return -EINVAL;
    for (const auto& [offset, value] : registers) {
        const std::uint32_t pair[] = {offset, value};
        if (!copy_out(place, pair)) return -EFAULT;
        place += sizeof pair;
    }
    return 0;
}

/// DATA_FOR_UUID, DATA_FOR_ID: the set behind the head.
int give_set(const drm_i915_query_item& item) {
    drm_i915_query_perf_config head;
    drm_i915_perf_oa_config out;
    constexpr std::size_t kBytes = sizeof head + sizeof out;
    if (item.length == 0) return kBytes;
    if (item.length < static_cast<__s32>(kBytes)) return -EINVAL;
    if (!copy_in(item.data_ptr, head) || !copy_in(item.data_ptr + sizeof head, out)) return -EFAULT;
    if (head.flags != 0) return -EINVAL;
    std::uint64_t number = head.config;
    if (item.flags == DRM_I915_QUERY_PERF_CONFIG_DATA_FOR_UUID) {
        std::array<char, CounterSet::kUuidBytes> uuid;
        std::memcpy(uuid.data(), head.uuid, uuid.size());
        number = counter_set_of(uuid);
    }
    CounterSet set;
    if (!read_counter_set(number, set)) return -ENOENT;
    if (const int error = give_registers(out.boolean_regs_ptr, out.n_boolean_regs, set.boolean))
        return error;
    if (const int error = give_registers(out.flex_regs_ptr, out.n_flex_regs, set.flex))
        return error;
    if (const int error = give_registers(out.mux_regs_ptr, out.n_mux_regs, set.mux)) return error;
    std::memcpy(out.uuid, set.uuid.data(), set.uuid.size());
    return copy_out(item.data_ptr + sizeof head, out) ? static_cast<int>(kBytes) : -EFAULT;
}

/// LIST: their number and their numbers. The item is as long as the kernel's, which counts its own
/// head as well.
int give_list(const drm_i915_query_item& item) {
    const auto numbers = counter_sets();
    const auto bytes_of = [](std::size_t count) {
        return static_cast<__s32>(sizeof(drm_i915_query_item) + sizeof(drm_i915_query_perf_config) +
                                  count * sizeof(std::uint64_t));
    };
    const __s32 bytes = bytes_of(numbers.size());
    if (item.length == 0) return bytes;
    if (item.length < bytes_of(0)) return -EINVAL;
    drm_i915_query_perf_config head;
    if (!copy_in(item.data_ptr, head)) return -EFAULT;
    if (head.flags != 0 || item.length < bytes) return -EINVAL;
    head.n_configs = numbers.size();
    const std::uint64_t place = item.data_ptr + sizeof head;
    if (!copy_out(item.data_ptr, head) ||
        !copy_out(place, numbers.data(), numbers.size() * sizeof numbers[0]))
        return -EFAULT;
    return bytes;
}

/// No record is longer.
using RecordBytes = std::array<std::uint8_t, sizeof(drm_i915_perf_record_header) + 256>;

/// The next record, which stays where it is.
int look_at_record(int descriptor, RecordBytes& record, std::size_t& bytes) {
    const ssize_t found = recv(descriptor, record.data(), record.size(), MSG_PEEK | MSG_DONTWAIT);
    if (found == 0) return EIO;  // the machine is gone
    if (found < 0) return errno;
    bytes = static_cast<std::size_t>(found);
    return 0;
}

int wait_for_record(int descriptor, Lock& lock) {
    lock.unlock();
    pollfd watched{descriptor, POLLIN, 0};
    const int error = poll(&watched, 1, -1) < 0 ? errno : 0;
    lock.lock();
    return error;
}

}  // namespace

PerfStream::~PerfStream() {
    Device& all = device();
    if (generation == all.connection.generation()) say(all, Kind::StreamGone);
}

int open_stream(Call& call) {
    constexpr std::uint32_t kKnownFlags =
        I915_PERF_FLAG_FD_CLOEXEC | I915_PERF_FLAG_FD_NONBLOCK | I915_PERF_FLAG_DISABLED;
    auto& a = call.as<drm_i915_perf_open_param>();
    Device& all = call.all;
    if (a.flags & ~kKnownFlags) return EINVAL;
    Properties properties;
    if (const int error = read_properties(all.facts, a, properties)) return error;
    std::shared_ptr<Context> context;
    if (properties.of_one_context) {
        context = call.file.context(properties.context);
        if (!context) return ENOENT;
    }
    if (properties.holds_preemption && !context) return EINVAL;
    if (!properties.samples) return EINVAL;
    if (all.has_stream()) return EBUSY;
    if (properties.layout < 0) return EINVAL;
    CounterSet set;
    if (!read_counter_set(properties.set, set)) return EINVAL;
    if (call.file.generation != all.connection.generation()) return EIO;
    std::uint32_t number = kNoContext;
    if (context)
        if (const int error = render_context(all, *context, number)) return error;

    int ends[2];
    const int kind = SOCK_SEQPACKET | (a.flags & I915_PERF_FLAG_FD_NONBLOCK ? SOCK_NONBLOCK : 0) |
                     (a.flags & I915_PERF_FLAG_FD_CLOEXEC ? SOCK_CLOEXEC : 0);
    if (socketpair(AF_UNIX, kind, 0, ends) != 0) return errno;
    const OwnDescriptor theirs(ends[1]);
    Message message;
    message.kind = Kind::StreamOpen;
    message.id = static_cast<std::uint32_t>(properties.layout) << 2;
    message.number = properties.periodic ? properties.exponent << 2 | 3 : 1;
    message.context = number;
    all.connection.reach();
    if (!theirs || !all.connection.send(message, theirs.get()) || !send_set(all, set)) {
        real().close(ends[0]);
        return theirs ? EIO : EMFILE;
    }
    auto stream = std::make_shared<PerfStream>();
    stream->generation = all.connection.generation();
    stream->set = properties.set;
    struct stat status {};
    real().fstat(ends[0], &status);
    stream->inode = status.st_ino;
    if (!(a.flags & I915_PERF_FLAG_DISABLED)) set_running(all, *stream, true);
    all.streams[ends[0]] = std::move(stream);
    all.any_stream = true;
    call.result = ends[0];
    return 0;
}

int add_counters(Call& call) {
    CounterSet set;
    if (const int error = read_set(call.as<drm_i915_perf_oa_config>(), set)) return error;
    std::uint64_t number = 0;
    const int error = add_counter_set(set, number);
    call.result = static_cast<int>(number);
    return error;
}

int remove_counters(Call& call) {
    return remove_counter_set(call.as<std::uint64_t>());
}

int query_counters(const drm_i915_query_item& item) {
    switch (item.flags) {
        case DRM_I915_QUERY_PERF_CONFIG_LIST:
            return give_list(item);
        case DRM_I915_QUERY_PERF_CONFIG_DATA_FOR_UUID:
        case DRM_I915_QUERY_PERF_CONFIG_DATA_FOR_ID:
            return give_set(item);
        default:
            return -EINVAL;
    }
}

int answer_stream(int descriptor, unsigned long request, std::uintptr_t argument, int& result,
                  bool& here) {
    Device& all = device();
    Lock lock(all.mutex);
    const auto stream = all.stream_of(descriptor);
    here = stream != nullptr;
    if (!here) return 0;
    if (stream->generation != all.connection.generation()) return EIO;
    switch (request) {
        case I915_PERF_IOCTL_ENABLE:
            set_running(all, *stream, true);
            return 0;
        case I915_PERF_IOCTL_DISABLE:
            set_running(all, *stream, false);
            return 0;
        case I915_PERF_IOCTL_CONFIG: {
            CounterSet set;
            if (!read_counter_set(argument, set)) return EINVAL;
            result = static_cast<int>(stream->set);
            if (argument != stream->set) send_set(all, set);
            stream->set = argument;
            return 0;
        }
        default:
            return EINVAL;
    }
}

ssize_t read_stream(int descriptor, void* to, std::size_t size, bool& here) {
    Device& all = device();
    Lock lock(all.mutex);
    const auto stream = all.stream_of(descriptor);
    here = stream != nullptr;
    if (!here) return 0;
    const bool waits = (real().fcntl(descriptor, F_GETFL) & O_NONBLOCK) == 0;
    std::size_t done = 0;
    int error = 0;
    RecordBytes record;
    while (true) {
        if (!stream->enabled) error = EIO;
        std::size_t bytes = 0;
        if (!error) error = look_at_record(descriptor, record, bytes);
        if (!error && bytes > size - done) error = ENOSPC;
        if (error == EAGAIN) {
            // There may be more for which there was no room.
            say(all, Kind::StreamMore);
            all.connection.flush(lock);
            if (done == 0 && waits) {
                error = wait_for_record(descriptor, lock);
                if (!error) continue;
            }
        }
        const auto place = reinterpret_cast<std::uintptr_t>(to) + done;
        if (!error && !copy_out(place, record.data(), bytes)) error = EFAULT;
        if (error) break;
        recv(descriptor, record.data(), record.size(), MSG_DONTWAIT);
        done += bytes;
    }
    if (done != 0) return static_cast<ssize_t>(done);
    errno = error;
    return -1;
}

}  // namespace gen9::drm
