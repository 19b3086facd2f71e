// SPDX-License-Identifier: Apache-2.0
/// Where a buffer's bytes are. A buffer has no memory until it is used. Then a small one lies with
/// others in a slab; one that is large, or that the program maps or shares, has its own file.
#pragma once
#include "platform/host/drm/library/objects/objects.h"

namespace gen9::drm {

/// Memory of any kind, for the machine and for PREAD and PWRITE. False: no room.
bool give_memory(Device& all, const std::shared_ptr<Buffer>& buffer);
/// Memory for the program to map, without a wait: a buffer that the machine uses in a slab stays
/// there. Null and errno: no room (ENOMEM).
const Buffer::Part* mappable_memory(Device& all, const std::shared_ptr<Buffer>& buffer);
/// A file of its own, whose descriptor is the answer; -1 and errno: no room (ENOMEM). A buffer that
/// the machine uses in a slab is moved when that has ended.
int own_file(Device& all, const std::shared_ptr<Buffer>& buffer, Lock& lock);
/// Makes a file the whole memory of a buffer, which is known by it from now on.
void set_file(Device& all, const std::shared_ptr<Buffer>& buffer,
              std::shared_ptr<OwnDescriptor> file);
/// Tells the machine where the buffer's memory is.
bool send_parts(Connection& connection, const Buffer& buffer);

}  // namespace gen9::drm
