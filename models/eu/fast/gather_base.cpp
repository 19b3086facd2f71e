// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include "common/bits.h"
#include "eu/fast/host.h"
#include "eu/thread/half.h"

#define GEN9_FAST_NAMESPACE base
#define GEN9_FAST_TARGET __attribute__(())
#define GEN9_FAST_BYTES 16
#include "eu/fast/gather.inc"
