// SPDX-License-Identifier: Apache-2.0
#include "platform/host/drm/library/objects/objects.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "platform/host/drm/library/objects/user_memory.h"
#include "platform/host/drm/library/process/real.h"
#include "platform/host/drm/library/process/tree.h"

namespace gen9::drm {
namespace {

void before_fork() {
    device().mutex.lock();
}
void in_parent() {
    device().mutex.unlock();
}
void in_child() {
    device().connection.forget();
    device().process = getpid();
    device().buffer_memory = 0;
    device().contexts = 0;
    device().slabs.forget();
    keep_user_memory_private();
    device().mutex.unlock();
}

/// A process of Linux may have 65,530 mappings, unless it is set up otherwise; some are for others
/// than buffers.
constexpr std::uint64_t kMostMappings = 60000;

Message gone(Kind kind) {
    Message message;
    message.kind = kind;
    return message;
}

}  // namespace

Device& device() {
    static Device* const all = [] {
        pthread_atfork(before_fork, in_parent, in_child);
        auto* const made = new Device;
        made->process = getpid();
        // A buffer that the program maps is an open file.
        rlimit files{};
        if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < files.rlim_max) {
            const rlim_t before = std::exchange(files.rlim_cur, files.rlim_max);
            if (setrlimit(RLIMIT_NOFILE, &files) != 0) files.rlim_cur = before;
        }
        made->most_files = std::min<std::uint64_t>(files.rlim_cur / 4 * 3, kMostMappings);
        return made;
    }();
    return *all;
}

Buffer::~Buffer() {
    Device& all = device();
    all.buffers.erase(id);
    if (name) all.names.erase(name);
    if (file_inode) {
        all.by_inode.erase({file_device, file_inode});
        --all.own_files;
    }
    if (sent_to == all.connection.generation()) {
        Message message = gone(Kind::BufferGone);
        message.id = id;
        all.connection.send(message);
        all.buffer_memory -= memory_of(size);
    }
    give_back_slot();
}

void Buffer::give_back_slot() {
    Device& all = device();
    if (slot.slab && slot_of == all.connection.generation())
        all.slabs.give_back(std::move(slot), last_use, all.connection);
    slot = {};
}

Vm::~Vm() {
    Connection& connection = device().connection;
    if (generation != connection.generation()) return;
    Message message = gone(Kind::VmGone);
    message.vm = id;
    connection.send(message);
}

Context::~Context() {
    Connection& connection = device().connection;
    if (generation != connection.generation()) return;
    device().contexts -= static_cast<std::uint32_t>(hardware.size());
    if (vm->generation != generation) return;  // nothing has been submitted in it
    for (const auto& [slot, number] : hardware) {
        Message message = gone(Kind::ContextGone);
        message.context = number;
        connection.send(message);
    }
}

void SyncObject::set(std::uint64_t point, std::uint64_t number) {
    if (point == 0) fences.clear();
    fences[point] = number;
}

const std::uint64_t* SyncObject::find(std::uint64_t point) const {
    const auto found = fences.lower_bound(point);
    return found == fences.end() ? nullptr : &found->second;
}

std::shared_ptr<Buffer> Device::make_buffer(std::uint64_t size) {
    auto buffer = std::make_shared<Buffer>(next_buffer++, size);
    buffers[buffer->id] = buffer;
    return buffer;
}

bool Device::read_facts() {
    if (has_facts) return true;
    const OwnDescriptor file(real().open(in_folder(kFactsName).c_str(), O_RDONLY | O_CLOEXEC));
    Facts read_facts;
    has_facts = file && read(file.get(), &read_facts, sizeof read_facts) == sizeof read_facts &&
                read_facts.version == kVersion;
    if (has_facts) facts = read_facts;
    return has_facts;
}

std::shared_ptr<File> Device::open(int descriptor, int minor) {
    auto file = std::make_shared<File>();
    file->minor = minor;
    file->generation = connection.generation();
    file->default_context = std::make_shared<Context>();
    file->default_context->vm = make_vm();
    files[descriptor] = file;
    return file;
}

std::shared_ptr<File> Device::file_of(int descriptor, bool adopt) {
    const auto found = files.find(descriptor);
    if (found == files.end() && !adopt) return nullptr;
    const int minor = node_minor(descriptor);
    if (found != files.end()) {
        if (minor == found->second->minor) return found->second;
        files.erase(found);
    }
    return minor < 0 ? nullptr : open(descriptor, minor);
}

std::shared_ptr<PerfStream> Device::stream_of(int descriptor) {
    const auto found = streams.find(descriptor);
    if (found == streams.end()) return nullptr;
    struct stat status {};
    if (real().fstat(descriptor, &status) == 0 && S_ISSOCK(status.st_mode) &&
        status.st_ino == found->second->inode)
        return found->second;
    streams.erase(found);
    return nullptr;
}

bool Device::has_stream() {
    std::vector<int> numbers;
    for (const auto& [number, stream] : streams)
        numbers.push_back(number);
    return std::ranges::any_of(numbers, [this](int number) {
        const auto stream = stream_of(number);
        return stream && stream->generation == connection.generation();
    });
}

void Device::closed(int first, int last) {
    files.erase(files.lower_bound(first), files.upper_bound(last));
    streams.erase(streams.lower_bound(first), streams.upper_bound(last));
}

void Device::duplicated(int from, int to) {
    if (to < 0 || to == from) return;
    files.erase(to);
    streams.erase(to);
    if (const auto found = streams.find(from); found != streams.end()) {
        const auto stream = found->second;
        streams[to] = stream;
    }
    if (const auto found = files.find(from); found != files.end()) {
        const auto file = found->second;
        files[to] = file;
    }
}

}  // namespace gen9::drm
