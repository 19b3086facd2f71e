// SPDX-License-Identifier: Apache-2.0
#pragma once

/// GEN9_FOR_EACH_HOST: the function is compiled a second time for hosts with AVX2, with the
/// GEN9_INLINE functions it calls; the loader chooses. Sanitizers do not see through the choice,
/// and Clang wants it in the header too.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(__clang__)
#define GEN9_FOR_EACH_HOST
#else
#define GEN9_FOR_EACH_HOST __attribute__((target_clones("avx2", "default")))
#endif
#define GEN9_INLINE [[gnu::always_inline]] inline
