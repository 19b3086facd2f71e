// SPDX-License-Identifier: Apache-2.0
// Every atomic operation, on memory of the group and of all, with and without its result.
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

// Cells 0 to 12 take one operation each, of every item; results go to `returned`.
#define OPERATIONS(TYPE, UTYPE, F)                    \
    got[0] = F(add)(cells + 0, value);                \
    got[1] = F(sub)(cells + 1, value);                \
    got[2] = F(inc)(cells + 2);                       \
    got[3] = F(dec)(cells + 3);                       \
    got[4] = F(min)(cells + 4, value);                \
    got[5] = F(max)(cells + 5, value);                \
    got[6] = F(and)(cells + 6, ~((TYPE)1 << item % 31)); \
    got[7] = F(or)(cells + 7, (TYPE)1 << item % 31);  \
    got[8] = F(xor)(cells + 8, value);                \
    got[9] = F(xchg)(cells + 9, value);               \
    got[10] = F(cmpxchg)(cells + 10, (TYPE)item, (TYPE)item + 1);

#define NAME32(op) atomic_##op
#define NAME64(op) atom_##op

#define GLOBAL_KERNEL(NAME, TYPE, UTYPE, F)                                              \
    kernel void NAME(global TYPE* cells, global TYPE* returned) {                        \
        const int item = get_global_id(0);                                               \
        const TYPE value = (TYPE)(item * 7 - 300);                                       \
        TYPE got[11];                                                                    \
        OPERATIONS(TYPE, UTYPE, F)                                                       \
        for (int i = 0; i < 11; ++i) returned[item * 11 + i] = got[i];                   \
    }
GLOBAL_KERNEL(global_int, int, uint, NAME32)
GLOBAL_KERNEL(global_uint, uint, uint, NAME32)
GLOBAL_KERNEL(global_long, long, ulong, NAME64)
GLOBAL_KERNEL(global_ulong, ulong, ulong, NAME64)

// One group; its cells come from and go back to memory.
#define LOCAL_KERNEL(NAME, TYPE, UTYPE, F)                                               \
    kernel void NAME(global TYPE* outside, global TYPE* returned) {                      \
        local TYPE cells[16];                                                            \
        const int item = get_local_id(0);                                                \
        if (item < 16) cells[item] = outside[item];                                      \
        barrier(CLK_LOCAL_MEM_FENCE);                                                    \
        const TYPE value = (TYPE)(item * 7 - 300);                                       \
        TYPE got[11];                                                                    \
        OPERATIONS(TYPE, UTYPE, F)                                                       \
        barrier(CLK_LOCAL_MEM_FENCE);                                                    \
        if (item < 16) outside[item] = cells[item];                                      \
        for (int i = 0; i < 11; ++i) returned[item * 11 + i] = got[i];                   \
    }
LOCAL_KERNEL(local_int, int, uint, NAME32)
LOCAL_KERNEL(local_uint, uint, uint, NAME32)
LOCAL_KERNEL(local_long, long, ulong, NAME64)
LOCAL_KERNEL(local_ulong, ulong, ulong, NAME64)

// The same operations for what they leave alone, but exchanges: whoever came last cannot be known.
#define SILENT(TYPE, F)                                                                  \
    F(add)(cells + 0, value);                                                            \
    F(sub)(cells + 1, value);                                                            \
    F(inc)(cells + 2);                                                                   \
    F(dec)(cells + 3);                                                                   \
    F(min)(cells + 4, value);                                                            \
    F(max)(cells + 5, value);                                                            \
    F(and)(cells + 6, ~((TYPE)1 << item % 31));                                          \
    F(or)(cells + 7, (TYPE)1 << item % 31);                                              \
    F(xor)(cells + 8, value);
#define SILENT_KERNELS(TYPE, F)                                                          \
    kernel void silent_global_##TYPE(global TYPE* cells) {                               \
        const int item = get_global_id(0);                                               \
        const TYPE value = (TYPE)(item * 7 - 300);                                       \
        SILENT(TYPE, F)                                                                  \
    }                                                                                    \
    kernel void silent_local_##TYPE(global TYPE* outside) {                              \
        local TYPE cells[16];                                                            \
        const int item = get_local_id(0);                                                \
        if (item < 16) cells[item] = outside[item];                                      \
        barrier(CLK_LOCAL_MEM_FENCE);                                                    \
        const TYPE value = (TYPE)(item * 7 - 300);                                       \
        SILENT(TYPE, F)                                                                  \
        barrier(CLK_LOCAL_MEM_FENCE);                                                    \
        if (item < 16) outside[item] = cells[item];                                      \
    }
SILENT_KERNELS(int, NAME32)
SILENT_KERNELS(uint, NAME32)
SILENT_KERNELS(long, NAME64)
SILENT_KERNELS(ulong, NAME64)

// Results not used: the compiler sends the messages that return nothing.
kernel void unused_results(global int* cells, global uint* sum) {
    const int item = get_global_id(0);
    atomic_add(cells + 0, item);
    atomic_inc(cells + 1);
    atomic_max(cells + 2, item * 3);
    atomic_or(cells + 3, 1 << item % 31);
    local uint near[4];
    if (get_local_id(0) < 4) near[get_local_id(0)] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(near + item % 4, 1u);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) < 4) atomic_add(sum + get_local_id(0), near[get_local_id(0)]);
}

// Floats by exchange and by compare-exchange, the only ones OpenCL 1.2 and Gen9 have.
void add_float(volatile global float* place, float value) {
    int seen, wanted;
    do {
        const float old = *place;
        seen = as_int(old);
        wanted = as_int(old + value);
    } while (atomic_cmpxchg((volatile global int*)place, seen, wanted) != seen);
}
kernel void float_sums(global float* cells) {
    const int item = get_global_id(0);
    add_float(cells + item % 3, (float)(item % 8));
    atomic_xchg(cells + 3, 1.5f);
}

// A lock by compare-exchange: one item of a group at a time, groups against each other.
kernel void locked(volatile global int* lock, volatile global int* shared_values) {
    if (get_local_id(0) == 0) {
        while (atomic_cmpxchg(lock, 0, 1) != 0) {
        }
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        shared_values[0] = shared_values[0] + 1;
        shared_values[1] = shared_values[1] + shared_values[0];
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg(lock, 0);
    }
}
