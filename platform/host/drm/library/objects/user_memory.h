// SPDX-License-Identifier: Apache-2.0
/// Memory of the program as a buffer: its pages are replaced, where they lie, by those of a file in
/// memory with the same contents, which the machine maps as well.
#pragma once
#include <cstdint>
#include <memory>

#include "platform/host/drm/library/objects/objects.h"

namespace gen9::drm {

/// Makes the program's own memory a buffer.
std::shared_ptr<Buffer> share_memory(Device& all, std::uint64_t address, std::uint64_t size);
/// Has a buffer of the program's memory what is mapped at its address now? False also where that
/// could not be shared.
bool follows_memory(Buffer& buffer);
/// The program may have put other memory in the place of some that is mapped. Without the lock.
void mappings_changed();
/// In a forked child: its copy of the parent's shared memory becomes its own.
void keep_user_memory_private();
}  // namespace gen9::drm
