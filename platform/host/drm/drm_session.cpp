// SPDX-License-Identifier: Apache-2.0
#include "platform/host/drm/drm_session.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <new>

#include "common/check.h"
#include "platform/host/address_space.h"
#include "platform/host/drm/mapped_files.h"

namespace gen9::drm {
namespace {

using platform::FileDescriptor;

/// Physical memory that the door hands out: below lie the places of what is no memory. Tables have
/// a part of their own: how many there are follows the program's addresses, and these must not
/// reach where its buffers lie.
constexpr std::uint64_t kFirstPhysical = std::uint64_t{4} << 30;
constexpr std::uint64_t kFirstOfBuffers = Frames::kBlock;
/// A buffer has one entry of a page table for each page at most.
constexpr std::uint64_t kMaxBufferBytes = std::uint64_t{64} << 30;
constexpr std::uint32_t kTimestamp = 0x2358, kTlbInvalidate = 0x4260;

constexpr bool in_pages(std::uint64_t value) {
    return value % kPage == 0;
}

/// Reads a mapping here and there, which makes its pages this process's sixteen at a time, to be
/// written as well; a write would be a fault for each page (Public: Linux, mm/memory.c). Only where
/// the file has all its pages: others must not be made.
void reach_pages(const std::uint8_t* host, const struct stat& file) {
    constexpr std::uint64_t kMost = std::uint64_t{64} << 20, kAround = 16 * kPage;
    constexpr std::uint64_t kBlock = 512;  // of st_blocks
    const auto size = static_cast<std::uint64_t>(file.st_size);
    if (size > kMost || static_cast<std::uint64_t>(file.st_blocks) * kBlock < size) return;
    for (std::uint64_t at = 0; at < size; at += kAround)
        static_cast<void>(*static_cast<const volatile std::uint8_t*>(host + at));
}

/// A file whose first `bytes` bytes exist and cannot go away under a mapping.
bool holds(const FileDescriptor& file, std::uint64_t bytes) {
    struct stat status {};
    if (!file || fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
    const int seals = fcntl(file.get(), F_GET_SEALS);
    return seals >= 0 && (seals & F_SEAL_SHRINK) != 0 &&
           static_cast<std::uint64_t>(status.st_size) >= bytes;
}

}  // namespace

DrmSession::DrmSession(platform::Engine& engine, Log log, const Frames& frames)
    : engine_(engine),
      log_(std::move(log)),
      frames_(frames),
      driver_memory_(kFirstPhysical, kFirstOfBuffers),
      physical_(kFirstOfBuffers, platform::kPhysicalBytes),
      table_pages_(engine, driver_memory_),
      contexts_(engine, driver_memory_),
      stream_(engine, contexts_),
      host_wait_(engine, log_),
      copy_engine_(
          {[this](std::uint64_t address) { return memory_at(copying_in_, address); },
           [this] { return timestamp(); },
           [this](std::uint64_t steps) { return engine_.goes_on(steps); }, CopyEngine::kMaxSteps,
           [this](const std::string& what) { return host_wait_.wait(what); },
           [this] { host_wait_.end(); }},
          [this](const std::string& what) {
              ++complaints_;
              log_("DRM: not modelled and passed over: " + what);
          }) {}

DrmSession::~DrmSession() {
    forget_translations();
    for (auto& [id, buffer] : buffers_)
        unmap(buffer);
    if (progress_) {
        MappedFiles::remove(progress_);
        munmap(progress_, kPage);
    }
}

void DrmSession::take(const Message& message, FileDescriptor descriptor) {
    if (ended_) return;
    try {
        carry_out(message, std::move(descriptor));
        if (MappedFiles::take_loss())
            refuse("a file of the program's has lost memory that the machine uses");
    } catch (const UserError& error) {
        refuse(error.what());
    } catch (const std::bad_alloc&) {
        refuse("this machine has no memory left for what the program asks for");
    }
}

void DrmSession::carry_out(const Message& message, FileDescriptor descriptor) {
    if (!progress_ && message.kind != Kind::Hello)
        return refuse("the first message is not a greeting");
    switch (message.kind) {
        case Kind::Hello:
            return hello(message, descriptor);
        case Kind::Buffer:
            return add_buffer(message);
        case Kind::Part:
            return add_part(message, descriptor);
        case Kind::BufferGone:
            return remove_buffer(message.id);
        case Kind::Bind:
            return bind(message);
        case Kind::VmGone:
            spaces_.erase(message.vm);
            return;
        case Kind::ContextGone:
            return contexts_.remove(message.context);
        case Kind::Submit:
            return submit(message);
        case Kind::Wake:
            return descriptor.close();
        case Kind::StreamOpen:
        case Kind::StreamSet:
        case Kind::StreamRun:
        case Kind::StreamMore:
        case Kind::StreamGone:
            return take_stream(message, std::move(descriptor));
    }
    if (message.kind == Kind{})
        return refuse("a message has another length, or more than one descriptor");
    refuse("message " + std::to_string(static_cast<std::uint32_t>(message.kind)) + " is not known");
}

void DrmSession::hello(const Message& message, const FileDescriptor& descriptor) {
    if (message.number != kVersion)
        return refuse("the library in the program is of another version");
    if (progress_ || !holds(descriptor, kPage)) return refuse("the greeting has no page");
    void* page = mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor.get(), 0);
    if (page == MAP_FAILED) return refuse("no memory for the page of progress");
    progress_ = static_cast<Progress*>(page);
    MappedFiles::add(page, kPage);
    host_wait_.progress = progress_;
    host_wait_.meanwhile = [this] { while_waiting(); };
    process_ = message.id;
}

void DrmSession::add_buffer(const Message& message) {
    if (message.size == 0 || !in_pages(message.size) || message.size > kMaxBufferBytes ||
        buffers_.contains(message.id))
        return refuse("a buffer of " + std::to_string(message.size) + " bytes makes no sense");
    Buffer& buffer = buffers_[message.id];
    buffer.size = message.size;
    buffer.of_another = message.number != 0;
}

/// Address space of the buffer's own. What has no file yet is zero. False if the session has ended.
bool DrmSession::map_alone(Buffer& buffer) {
    void* host = mmap(nullptr, buffer.size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (host == MAP_FAILED) {
        refuse("no address space for a buffer");
        return false;
    }
    buffer.host = static_cast<std::uint8_t*>(host);
    MappedFiles::add(host, buffer.size);
    return true;
}

/// All of the buffer lies in one file. It may have lain in another, with the same contents.
void DrmSession::map_whole(Buffer& buffer, const FileDescriptor& file, std::uint64_t offset) {
    struct stat status {};
    fstat(file.get(), &status);
    const FileName name{status.st_dev, status.st_ino};
    MappedFile& mapped = files_[name];
    if (!mapped.host) {
        mapped.size = static_cast<std::uint64_t>(status.st_size);
        void* host =
            mapped.size > kMaxBufferBytes
                ? MAP_FAILED
                : mmap(nullptr, mapped.size, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
        if (host == MAP_FAILED) {
            files_.erase(name);
            return refuse("a buffer's memory cannot be mapped");
        }
        mapped.host = static_cast<std::uint8_t*>(host);
        MappedFiles::add(host, mapped.size);
        reach_pages(mapped.host, status);
    }
    ++mapped.buffers;
    const bool fits = offset <= mapped.size && buffer.size <= mapped.size - offset;
    const std::uint64_t taken = buffer.taken;
    unmap(buffer);
    buffer.file = name;
    if (!fits) return refuse("memory of a buffer makes no sense");
    buffer.host = mapped.host + offset;
    if (taken == 0) return;
    buffer.taken = taken;
    attach(buffer);
}

/// The buffer has no memory in this process any more; its place in the machine's remains.
void DrmSession::unmap(Buffer& buffer) {
    if (buffer.taken) {
        forget_translations();
        detach(buffer);
        buffer.taken = 0;
    }
    const auto file = files_.find(buffer.file);
    if (file == files_.end()) {
        if (buffer.host) {
            MappedFiles::remove(buffer.host);
            munmap(buffer.host, buffer.size);
        }
    } else if (--file->second.buffers == 0) {
        MappedFiles::remove(file->second.host);
        munmap(file->second.host, file->second.size);
        files_.erase(file);
    }
    buffer.host = nullptr;
    buffer.file = {};
}

/// A buffer's first place decides where its memory is: at the same place within a large page, as
/// the kernel has large pages of a program's memory. False if the session has ended.
bool DrmSession::give_memory(Buffer& buffer, std::uint64_t address) {
    if (buffer.taken) return true;
    if (!buffer.host && !map_alone(buffer)) return false;
    const std::uint64_t page = frames_.page_bytes();
    const std::uint64_t within = buffer.size >= page ? address % page : 0;
    const auto place = physical_.take(within + buffer.size, buffer.size >= page ? page : kPage);
    if (!place) {
        refuse("the machine's physical memory is used up");
        return false;
    }
    buffer.taken = within + buffer.size;
    buffer.place = PhysAddr(*place + within);
    if (attach(buffer)) return true;
    refuse("the machine's memory is another model, which cannot share a program's buffers");
    return false;
}

bool DrmSession::attach(const Buffer& buffer) {
    bool all = true;
    frames_.for_each_piece(
        buffer.place.value, buffer.size, [&](std::uint64_t offset, std::uint64_t bytes) {
            const PhysAddr at(frames_.at(buffer.place.value + offset));
            all = all && engine_.attach_memory(at, {buffer.host + offset, bytes});
            if (buffer.of_another) engine_.others_write(at, bytes);
        });
    return all;
}

void DrmSession::detach(const Buffer& buffer) {
    if (!buffer.taken) return;
    frames_.for_each_piece(buffer.place.value, buffer.size,
                           [&](std::uint64_t offset, std::uint64_t bytes) {
                               const PhysAddr at(frames_.at(buffer.place.value + offset));
                               engine_.detach_memory(at, bytes);
                           });
}

void DrmSession::add_part(const Message& message, const FileDescriptor& descriptor) {
    const auto found = buffers_.find(message.id);
    const bool fits = found != buffers_.end() && message.size != 0 && in_pages(message.size) &&
                      in_pages(message.address) && in_pages(message.offset) &&
                      message.address <= found->second.size &&
                      message.size <= found->second.size - message.address &&
                      message.offset <= LONG_MAX - message.size &&
                      holds(descriptor, message.offset + message.size);
    if (!fits) return refuse("memory of a buffer makes no sense");
    Buffer& buffer = found->second;
    if (message.size == buffer.size) return map_whole(buffer, descriptor, message.offset);
    if (buffer.file != FileName{})
        return refuse("a part of a buffer whose memory is one file makes no sense");
    if (!buffer.host && !map_alone(buffer)) return;
    void* at = buffer.host + message.address;
    if (mmap(at, message.size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, descriptor.get(),
             static_cast<off_t>(message.offset)) == MAP_FAILED)
        refuse("a buffer's memory cannot be mapped");
}

void DrmSession::remove_buffer(std::uint32_t id) {
    const auto found = buffers_.find(id);
    if (found == buffers_.end()) return refuse("a buffer that is not there has gone");
    for (auto& named : spaces_) {
        Space& space = named.second;
        space.bindings.remove(id, [&](std::uint64_t address, const Bindings::Place& place) {
            space.tables->unmap(address, place.size);
        });
    }
    Buffer& buffer = found->second;
    const std::uint64_t taken = buffer.taken;
    unmap(buffer);
    if (taken) physical_.give_back(buffer.place.value + buffer.size - taken, taken);
    buffers_.erase(found);
}

DrmSession::Space& DrmSession::space(std::uint32_t vm) {
    Space& space = spaces_[vm];
    if (!space.tables) space.tables = std::make_unique<PageTables>(engine_, table_pages_, frames_);
    return space;
}

void DrmSession::bind(const Message& message) {
    const auto found = buffers_.find(message.id);
    if (found == buffers_.end() || !in_pages(message.address) ||
        message.address >= kAddressSpaceBytes ||
        found->second.size > kAddressSpaceBytes - message.address)
        return refuse("a buffer's place makes no sense");
    if (!give_memory(found->second, message.address)) return;
    Space& in = space(message.vm);
    bool moved = false;
    in.bindings.bind(message.id, message.address, found->second.size,
                     [&](std::uint64_t address, const Bindings::Place& place) {
                         in.tables->unmap(address, place.size);
                         moved = true;
                     });
    in.tables->map(message.address, found->second.place, found->second.size);
    if (moved) forget_translations();
}

/// Pointers into memory that goes away must not be kept, nor translations that lead there.
void DrmSession::forget_translations() {
    engine_.write_register(kTlbInvalidate, 1);
}

void DrmSession::submit(const Message& message) {
    on_launch(process_, static_cast<std::uint32_t>(message.offset));
    const bool done = message.id == kRenderEngine
                          ? contexts_.submit(message.context, space(message.vm).tables->root(),
                                             message.address % kAddressSpaceBytes, message.number,
                                             [this] { return host_wait_.wait(); })
                          : submit_to_other_engine(message);
    host_wait_.end();
    progress_->timestamp = timestamp();
    if (engine_.stopped() || !done) {
        lose(message.number);
        ended_ = true;
    }
    if (table_pages_.take_scratch_writes() && !lost_write_said_) {
        lost_write_said_ = true;
        log_("DRM: submission " + std::to_string(message.number) +
             " wrote to an address where its program has no buffer; such writes are lost");
    }
    // Who is told of the end finds the reports.
    stream_.forward();
    tell(message.number);
}

void DrmSession::take_stream(const Message& message, FileDescriptor descriptor) {
    bool makes_sense = true;
    switch (message.kind) {
        case Kind::StreamOpen:
            makes_sense = stream_.open(message, std::move(descriptor));
            break;
        case Kind::StreamSet:
            makes_sense = stream_.set(message.id, message.number);
            break;
        case Kind::StreamRun:
            makes_sense = stream_.run(message.number != 0);
            break;
        case Kind::StreamGone:
            makes_sense = stream_.close();
            break;
        default:
            stream_.forward();
    }
    if (!makes_sense) refuse("what it asks of the performance counters makes no sense");
}

/// Copies are carried out at once; of video, only what says that it is done.
bool DrmSession::submit_to_other_engine(const Message& message) {
    space(message.vm);
    copying_in_ = message.vm;
    const CopyEngine::End end = copy_engine_.run(message.address);
    if (end == CopyEngine::End::Whole) return true;
    if (end == CopyEngine::End::Stopped) return false;  // the engine has said why
    log_("DRM: submission " + std::to_string(message.number) + " of engine class " +
         std::to_string(message.id) + " cannot be followed to its end: " +
         (end == CopyEngine::End::Nowhere
              ? "it leads to where its program has no commands"
              : "it has more than " + std::to_string(CopyEngine::kMaxSteps) +
                    " steps of commands and pixels"));
    ++complaints_;
    return false;
}

std::span<std::uint8_t> DrmSession::memory_at(std::uint32_t vm, std::uint64_t address) {
    const auto* found = space(vm).bindings.at(address);
    if (!found) return {};
    const Buffer& buffer = buffers_.at(found->second.id);
    const std::uint64_t offset = address - found->first;
    return {buffer.host + offset, buffer.size - offset};
}

std::uint64_t DrmSession::timestamp() {
    const auto low = engine_.read_register(kTimestamp);
    const auto high = engine_.read_register(kTimestamp + 4);
    return std::uint64_t{high} << 32 | low;
}

void DrmSession::tell(std::uint64_t completed) {
    progress_->completed = completed;
    wake();
}

void DrmSession::wake() {
    ++progress_->changed;
    syscall(SYS_futex, &progress_->changed, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

void DrmSession::refuse(const std::string& why) {
    ++complaints_;
    log_("DRM: " + why + "; the connection is closed");
    ended_ = true;
    if (!progress_ || progress_->lost) return;
    lose(progress_->completed + 1);
    wake();
}

void DrmSession::lose(std::uint64_t number) {
    progress_->lost_in = number;
    progress_->lost = 1;
}

}  // namespace gen9::drm
