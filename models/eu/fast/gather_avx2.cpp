// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include "common/bits.h"
#include "eu/fast/host.h"
#include "eu/thread/half.h"

#define GEN9_FAST_NAMESPACE avx2
#define GEN9_FAST_TARGET __attribute__((target("avx2,fma,bmi,bmi2")))
#define GEN9_FAST_BYTES 32
#include "eu/fast/gather.inc"
