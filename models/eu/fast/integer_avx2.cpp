// SPDX-License-Identifier: Apache-2.0
#include "eu/fast/host.h"

#define GEN9_FAST_NAMESPACE avx2
#define GEN9_FAST_TARGET __attribute__((target("avx2,fma,bmi,bmi2")))
#define GEN9_FAST_BYTES 32
#include "eu/fast/integer.inc"
