// SPDX-License-Identifier: Apache-2.0
#include "eu/fast/host.h"

#define GEN9_FAST_NAMESPACE base
#define GEN9_FAST_TARGET __attribute__(())
#define GEN9_FAST_BYTES 16
#include "eu/fast/integer.inc"
