// SPDX-License-Identifier: Apache-2.0
#include "platform/host/drm/library/objects/buffer_memory.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

#include "platform/host/drm/library/process/file_limit.h"
#include "platform/host/drm/library/process/real.h"

namespace gen9::drm {
namespace {

/// The contents of a slot, which are at most kLargestSlot bytes.
bool copy(const Buffer::Part& from, const OwnDescriptor& to) {
    const FilesMayGrow grow;
    std::vector<char> bytes(from.size);
    const auto count = static_cast<ssize_t>(from.size);
    return pread(from.file->get(), bytes.data(), from.size, static_cast<off_t>(from.file_offset)) ==
               count &&
           pwrite(to.get(), bytes.data(), from.size, 0) == count;
}

/// A file of its own for a buffer that has none, with what the buffer holds.
bool make_file(Device& all, const std::shared_ptr<Buffer>& buffer) {
    if (all.own_files >= all.most_files) return false;
    auto file = std::make_shared<OwnDescriptor>(make_memory("i915", buffer->size));
    if (!*file || (!buffer->parts.empty() && !copy(buffer->parts[0], *file))) return false;
    set_file(all, buffer, std::move(file));
    return true;
}

bool is_used_in_slab(const Device& all, const Buffer& buffer) {
    return buffer.slot.slab && buffer.slot_of == all.connection.generation() &&
           !all.connection.completed(buffer.last_use);
}

/// Moves a buffer out of its slab, which the machine does not use. False and errno: no room.
bool has_own_file(Device& all, const std::shared_ptr<Buffer>& buffer) {
    if (!buffer->parts.empty() && !buffer->slot.slab) return true;
    if (!make_file(all, buffer)) {
        errno = ENOMEM;
        return false;
    }
    if (buffer->sent_to == all.connection.generation()) send_parts(all.connection, *buffer);
    if (buffer->slot.mapped) Slabs::move_mappings(buffer->slot, *buffer->parts[0].file);
    buffer->give_back_slot();
    return true;
}

}  // namespace

void set_file(Device& all, const std::shared_ptr<Buffer>& buffer,
              std::shared_ptr<OwnDescriptor> file) {
    struct stat status {};
    if (real().fstat(file->get(), &status) == 0) {
        buffer->file_device = status.st_dev;
        buffer->file_inode = status.st_ino;
        all.by_inode[{status.st_dev, status.st_ino}] = buffer;
        ++all.own_files;
    }
    buffer->parts = {{std::move(file), 0, buffer->size}};
    if (buffer->tiling.mode) set_tiling(*buffer, buffer->tiling);
}

bool send_parts(Connection& connection, const Buffer& buffer) {
    Message message;
    message.kind = Kind::Part;
    message.id = buffer.id;
    bool sent = true;
    for (const auto& part : buffer.parts) {
        message.size = part.size;
        message.offset = part.file_offset;
        sent = sent && connection.send(message, part.file->get());
        message.address += part.size;
    }
    return sent;
}

bool give_memory(Device& all, const std::shared_ptr<Buffer>& buffer) {
    if (!buffer->parts.empty()) return true;
    if (buffer->size > Slabs::kLargestSlot) return make_file(all, buffer);
    buffer->slot = all.slabs.take(buffer->size, all.connection);
    if (!buffer->slot.slab) return false;
    buffer->slot_of = all.connection.generation();
    buffer->parts = {{buffer->slot.slab->file, buffer->slot.offset, buffer->size}};
    return true;
}

const Buffer::Part* mappable_memory(Device& all, const std::shared_ptr<Buffer>& buffer) {
    buffer->slot.mapped |= is_used_in_slab(all, *buffer);
    if (!buffer->slot.mapped && !has_own_file(all, buffer)) return nullptr;
    return &buffer->parts[0];
}

int own_file(Device& all, const std::shared_ptr<Buffer>& buffer, Lock& lock) {
    // A wait releases the lock: another thread may have used or moved the buffer.
    while (is_used_in_slab(all, *buffer))
        all.connection.wait(buffer->last_use, INT64_MAX, lock);
    return has_own_file(all, buffer) ? buffer->parts[0].file->get() : -1;
}

}  // namespace gen9::drm
