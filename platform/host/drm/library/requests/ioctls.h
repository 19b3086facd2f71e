// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "platform/host/drm/library/objects/objects.h"

namespace gen9::drm {

/// A call of the program: its file, the request's number and the length and place of its argument.
/// All answers are 0 or an error number.
struct Call {
    Device& all;
    File& file;
    Lock& lock;
    unsigned number;
    unsigned size;
    void* argument;
    template <class Argument>
    Argument& as() const {
        return *static_cast<Argument*>(argument);
    }
};

/// A chain may have so many, as in the kernel driver, which so ends one that has no end.
inline constexpr unsigned kMaxExtensions = 512;

/// Any request of the device's files.
int answer(Call& call);

// Rooms of it.
int answer_parameter(Call& call);
int answer_query(Call& call);
int answer_context(Call& call, unsigned driver_number);
int answer_buffer(Call& call, unsigned driver_number);
int answer_sync(Call& call);
int execute(Call& call);
int share_buffer(Call& call);
int accept_buffer(Call& call);

/// A descriptor that poll finds readable when a submission has ended; -1: no room.
int make_sync_file(Device& all, std::uint64_t number);
/// Says which submission a sync file is the end of; EINVAL when it is none. One of another process
/// has ended on return, and gives 0.
int read_sync_file(Device& all, int descriptor, std::uint64_t& number, Lock& lock);
/// A request of sync files, if the descriptor is one.
int answer_sync_file(int descriptor, unsigned long request, void* argument, bool& here);

}  // namespace gen9::drm
