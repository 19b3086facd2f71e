// SPDX-License-Identifier: Apache-2.0
/// Drivers that do not choose addresses leave them to the kernel: it places their buffers, and
/// corrects the addresses that they wrote into their commands.
/// Spec     Public: Linux i915 (i915_gem_execbuffer.c: eb_reserve, eb_relocate)
#include "platform/host/drm/library/requests/placement.h"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <unordered_map>

#include "platform/host/drm/library/process/file_limit.h"
#include "platform/host/drm/library/process/program_memory.h"

namespace gen9::drm {
namespace {

/// Places begin here, so that no buffer is at an address that a program may take for none.
constexpr std::uint64_t kFirst = 1 << 20;
/// Without its flag, a buffer ends a page below 4 GB: sizes in commands may have 32 bits.
constexpr std::uint64_t kLowEnd = (std::uint64_t{1} << 32) - kPage;
constexpr std::uint64_t kHighEnd = kAddressSpaceBytes - kPage;
/// A relocation may say that the device does this with its target.
constexpr std::uint32_t kDomains = I915_GEM_DOMAIN_RENDER | I915_GEM_DOMAIN_SAMPLER |
                                   I915_GEM_DOMAIN_COMMAND | I915_GEM_DOMAIN_INSTRUCTION |
                                   I915_GEM_DOMAIN_VERTEX;
/// Larger buffers begin at multiples of it, so that the tables may have large pages.
constexpr std::uint64_t kLargePage = 2 << 20;

std::uint64_t end_of(const Object& object) {
    return object.given.flags & EXEC_OBJECT_SUPPORTS_48B_ADDRESS ? kHighEnd : kLowEnd;
}

bool will_do(const Object& object, std::uint64_t address) {
    const std::uint64_t end = end_of(object);
    const std::uint64_t alignment = std::max<std::uint64_t>(object.given.alignment, kPage);
    return address % alignment == 0 && address <= end && object.buffer->size <= end - address;
}

/// Objects by what relocations call them: their place in the list, or their handles.
class Targets {
  public:
    Targets(std::vector<Object>& objects, bool by_place) : objects_(objects), by_place_(by_place) {
        for (std::size_t i = 0; !by_place && i < objects.size(); ++i)
            places_.emplace(objects[i].given.handle, i);
    }
    Object* find(std::uint32_t name) const {
        if (by_place_) return name < objects_.size() ? &objects_[name] : nullptr;
        const auto found = places_.find(name);
        return found == places_.end() ? nullptr : &objects_[found->second];
    }

  private:
    std::vector<Object>& objects_;
    const bool by_place_;
    std::unordered_map<std::uint32_t, std::size_t> places_;
};

bool makes_sense(const Object& object, const drm_i915_gem_relocation_entry& entry) {
    return std::popcount(entry.write_domain) <= 1 &&
           !((entry.read_domains | entry.write_domain) & ~kDomains) && entry.offset % 4 == 0 &&
           object.buffer->size >= sizeof(std::uint64_t) &&
           entry.offset <= object.buffer->size - sizeof(std::uint64_t);
}

int relocate(const Object& object, const Targets& targets) {
    const FilesMayGrow grow;
    std::vector<drm_i915_gem_relocation_entry> entries;
    if (!copy_in(object.given.relocs_ptr, object.given.relocation_count, entries)) return EFAULT;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        auto& entry = entries[i];
        Object* const target = targets.find(entry.target_handle);
        if (!target) return ENOENT;
        if (!makes_sense(object, entry)) return EINVAL;
        if (entry.write_domain) target->given.flags |= EXEC_OBJECT_WRITE;
        const std::uint64_t address = canonical(target->address);
        if (entry.presumed_offset == address) continue;
        const std::uint64_t value = address + entry.delta;
        const Buffer::Part& part = object.buffer->parts[0];
        if (pwrite(part.file->get(), &value, sizeof value,
                   static_cast<off_t>(part.file_offset + entry.offset)) != sizeof value)
            return EFAULT;
        // As in the kernel, the program's list may be in memory that cannot be written.
        copy_out(object.given.relocs_ptr + i * sizeof entry +
                     offsetof(drm_i915_gem_relocation_entry, presumed_offset),
                 address);
    }
    return 0;
}

}  // namespace

int place(Device& all, Vm& vm, std::vector<Object>& objects,
          const std::function<bool(const Object&)>& bind) {
    for (const bool pinned : {true, false})
        for (auto& object : objects) {
            if (((object.given.flags & EXEC_OBJECT_PINNED) != 0) != pinned) continue;
            const auto* now = pinned ? nullptr : vm.bindings.find(object.buffer->id);
            if (now && will_do(object, *now)) {
                object.address = *now;
            } else if (!pinned) {
                const std::uint64_t size = object.buffer->size, end = end_of(object);
                const std::uint64_t alignment = std::max<std::uint64_t>(
                    object.given.alignment, size >= kLargePage ? kLargePage : kPage);
                object.address =
                    vm.bindings.hole(kFirst, end, size, alignment,
                                     [&](std::uint32_t id) { return all.buffers.contains(id); });
                if (object.address == end) return ENOSPC;
            }
            if (!bind(object)) return EIO;
        }
    return 0;
}

int relocate(std::vector<Object>& objects, const drm_i915_gem_execbuffer2& submission) {
    // The program says that its commands are right if nothing has moved from where it says it is.
    const bool moved = std::any_of(objects.begin(), objects.end(), [](const Object& object) {
        return object.given.offset != canonical(object.address);
    });
    if (moved || !(submission.flags & I915_EXEC_NO_RELOC)) {
        const Targets targets(objects, submission.flags & I915_EXEC_HANDLE_LUT);
        for (const auto& object : objects)
            if (object.given.relocation_count != 0)
                if (const int error = relocate(object, targets)) return error;
    }
    for (std::size_t i = 0; i < objects.size(); ++i)
        if (objects[i].given.offset != canonical(objects[i].address))
            copy_out(submission.buffers_ptr + i * sizeof(drm_i915_gem_exec_object2) +
                         offsetof(drm_i915_gem_exec_object2, offset),
                     canonical(objects[i].address));
    return 0;
}

}  // namespace gen9::drm
