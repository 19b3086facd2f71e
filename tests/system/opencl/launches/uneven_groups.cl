// SPDX-License-Identifier: Apache-2.0
// Every item counts itself at its global id and says where it thinks it is.
kernel void uneven_groups(global uint* times, global uint* place, uint width, uint height) {
    const uint x = get_global_id(0) - get_global_offset(0);
    const uint y = get_global_id(1) - get_global_offset(1);
    const uint z = get_global_id(2) - get_global_offset(2);
    const uint at = (z * height + y) * width + x;
    atomic_inc(&times[at]);
    place[4 * at + 0] = get_group_id(0) | get_group_id(1) << 10 | get_group_id(2) << 20;
    place[4 * at + 1] = get_local_id(0) | get_local_id(1) << 10 | get_local_id(2) << 20;
    place[4 * at + 2] = get_local_size(0) | get_local_size(1) << 10 | get_local_size(2) << 20;
    place[4 * at + 3] = get_num_groups(0) | get_num_groups(1) << 10 | get_num_groups(2) << 20;
}
