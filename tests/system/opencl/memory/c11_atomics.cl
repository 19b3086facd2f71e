// SPDX-License-Identifier: Apache-2.0
// The atomics of OpenCL 2 and later: objects with orders and scopes, exchanges, compare-exchange loops, flags.
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

#define RELAXED memory_order_relaxed, memory_scope_device
#define ACQUIRE memory_order_acquire, memory_scope_work_group
#define RELEASE memory_order_release, memory_scope_device
#define ACQ_REL memory_order_acq_rel, memory_scope_all_svm_devices
#define SEQ_CST memory_order_seq_cst, memory_scope_device

// Cells 0 to 6: sums and the like; 7: increments by compare-exchange; 8: exchanges, each of which takes a token out.
#define FETCHES(TYPE)                                                                        \
    atomic_fetch_add(cells + 0, value);                                                      \
    atomic_fetch_sub_explicit(cells + 1, value, RELAXED);                                    \
    atomic_fetch_or_explicit(cells + 2, (TYPE)1 << item % 31, RELEASE);                      \
    atomic_fetch_xor_explicit(cells + 3, value, ACQ_REL);                                    \
    atomic_fetch_and_explicit(cells + 4, ~((TYPE)1 << item % 31), SEQ_CST);                  \
    atomic_fetch_min_explicit(cells + 5, value, ACQUIRE);                                    \
    atomic_fetch_max_explicit(cells + 6, value, RELAXED);                                    \
    TYPE seen = atomic_load_explicit(cells + 7, RELAXED);                                    \
    while (!atomic_compare_exchange_weak_explicit(cells + 7, &seen, seen + 3, memory_order_acq_rel, memory_order_relaxed, memory_scope_device)) {} \
    TYPE wanted = (TYPE)item;                                                                \
    if (!atomic_compare_exchange_strong(cells + 9, &wanted, (TYPE)item + 1)) atomic_fetch_add_explicit(cells + 10, (TYPE)1, RELAXED); \
    returned[get_global_id(0)] = atomic_exchange_explicit(cells + 8, (TYPE)item + 1, ACQ_REL);

#define KERNELS(TYPE)                                                                        \
    kernel void global_##TYPE(global atomic_##TYPE* cells, global TYPE* returned) {          \
        const int item = get_global_id(0);                                                   \
        const TYPE value = (TYPE)(item * 7 - 300);                                           \
        FETCHES(TYPE)                                                                        \
    }                                                                                        \
    kernel void local_##TYPE(global atomic_##TYPE* outside, global TYPE* returned) {         \
        local atomic_##TYPE cells[16];                                                       \
        const int item = get_local_id(0);                                                    \
        if (item < 16) atomic_init(cells + item, atomic_load(outside + item));               \
        barrier(CLK_LOCAL_MEM_FENCE);                                                        \
        const TYPE value = (TYPE)(item * 7 - 300);                                           \
        FETCHES(TYPE)                                                                        \
        barrier(CLK_LOCAL_MEM_FENCE);                                                        \
        if (item < 16) atomic_store(outside + item, atomic_load(cells + item));              \
    }
KERNELS(int)
KERNELS(uint)
KERNELS(long)
KERNELS(ulong)

// Floats are loaded, stored and exchanged: every value but the last comes out once.
kernel void global_float(global atomic_float* cells, global float* returned) {
    const int item = get_global_id(0);
    returned[item] = atomic_exchange(cells, item + 0.5f);
    atomic_store_explicit(cells + 1, 7.25f, RELEASE);
    if (item == 0) atomic_store(cells + 2, atomic_load_explicit(cells + 3, ACQUIRE) * 2.0f);
}

// A lock of a flag: what it guards is ordinary memory.
kernel void flag(volatile global atomic_flag* lock, volatile global int* guarded) {
    if (get_local_id(0) == 0) {
        while (atomic_flag_test_and_set_explicit(lock, memory_order_acquire, memory_scope_device)) {
        }
        guarded[0] = guarded[0] + 1;
        guarded[1] = guarded[1] + guarded[0];
        atomic_flag_clear_explicit(lock, memory_order_release, memory_scope_device);
    }
}
