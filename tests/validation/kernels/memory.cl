// SPDX-License-Identifier: Apache-2.0
// W-25, W-27, W-28, W-40, W-42, W-46: passes over memory and atomics.
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

// A pass of a bitonic sort; two signed divisions by values known at run time.
kernel void bitonic(global int* a, int length, int power) {
    const int i = get_global_id(0), sequence = i / length, half_length = length / 2;
    const bool rising = sequence / power % 2 == 0;
    if (i < length * sequence + half_length) {
        const int mine = a[i], other = a[i + half_length];
        if ((mine > other && rising) || (mine < other && !rising)) {
            a[i] = other;
            a[i + half_length] = mine;
        }
    }
}

// Seven atomics without result, each on one word for all: `nothing` is 0, which the compiler does
// not know. It would combine a thread's lanes otherwise.
kernel void seven(global int* word, int nothing) {
    const int i = get_global_id(0);
    word += i & nothing;
    atomic_add(&word[0], 10);
    atomic_sub(&word[1], 10);
    atomic_max(&word[2], i);
    atomic_min(&word[3], i);
    atomic_and(&word[4], 2 * i + 7);
    atomic_or(&word[5], 1 << (i & 31));
    atomic_xor(&word[6], i);
}

kernel void updates(global ulong* table, global ulong* state, ulong mask, uint turns) {
    const int i = get_global_id(0);
    for (uint turn = 0; turn < turns; ++turn) {
        state[i] = (state[i] << 1) ^ ((long)state[i] < 0 ? 7UL : 0UL);
        atom_xor(&table[state[i] & mask], state[i]);
    }
}

#define EACH 16
#ifndef APART  // known to the compiler, as published
#define APART 1
#endif
kernel void coalesced_read(global float* data) {
    const uint i = get_global_id(0);
    float sum = 0;
    for (uint k = 0; k < EACH; ++k) sum += data[k * APART + i];
    data[i] = sum;
}
kernel void coalesced_write(global float* data) {
    const uint i = get_global_id(0);
    for (uint k = 0; k < EACH; ++k) data[k * APART + i] = 0.0f;
}
kernel void misaligned_read(global float* data) {
    const uint i = get_global_id(0);
    float sum = 0;
    for (uint k = 0; k < EACH; ++k) sum += data[i * EACH + k];
    data[i] = sum;
}
kernel void misaligned_write(global float* data) {
    const uint i = get_global_id(0);
    for (uint k = 0; k < EACH; ++k) data[i * EACH + k] = 0.0f;
}

// A step of the wave equation on a plane: three arrays read, one written. Places are of 64 bits, as
// published.
kernel void wave(global float* next, global const float* now, global const float* speed,
                 float step, int columns, int rows) {
    const ulong x = get_global_id(0), y = get_global_id(1);
    if (y >= rows || x >= columns) return;
    const ulong i = y * columns + x;
    if (x < 1 || x >= columns - 1 || y < 1 || y >= rows - 1) return;
    float value = 0;
    value += now[i + 1] - 2.0f * now[i] + now[i - 1];
    value += now[i + columns] - 2.0f * now[i] + now[i - columns];
    value *= step * speed[i];
    next[i] = 2.0f * now[i] - next[i] + value;
}

kernel void copy16(global const float4* from, global float4* to) {
    to[get_global_id(0)] = from[get_global_id(0)];
}
kernel void copy32(global const float8* from, global float8* to) {
    to[get_global_id(0)] = from[get_global_id(0)];
}
