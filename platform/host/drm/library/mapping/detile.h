// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "platform/host/drm/library/objects/objects.h"

namespace gen9::drm {

/// The file whose mapping shows the buffer in rows, with its contents of now; -1: no room.
int rows_of(Buffer& buffer);
/// Brings the buffer into its rows, and rows into the buffer. Nobody may be writing the buffer.
void show_in_rows(const Buffer& buffer);
void take_from_rows(Buffer& buffer);

}  // namespace gen9::drm
