// SPDX-License-Identifier: Apache-2.0
kernel void count(global uint* values) { values[get_global_id(0)] += 1 + get_local_id(0); }
