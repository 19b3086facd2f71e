// SPDX-License-Identifier: Apache-2.0
// W-46, items of 64 and 128 bytes, in place.
#define CHANGE(words) words = words * words + 0.001f
kernel void change64(global float16* data) {
    float16 words = data[get_global_id(0)];
    CHANGE(words);
    data[get_global_id(0)] = words;
}
kernel void change128(global float16* data) {
    float16 first = data[2 * get_global_id(0)], second = data[2 * get_global_id(0) + 1];
    CHANGE(first);
    CHANGE(second);
    data[2 * get_global_id(0)] = first;
    data[2 * get_global_id(0) + 1] = second;
}
