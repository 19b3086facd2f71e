// Subgroup operations: shuffles, reductions, block reads.
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void shuffle_sum(global const int* in, global int* out) {
    int v = in[get_global_id(0)];
    v += intel_sub_group_shuffle(v, get_sub_group_local_id() ^ 3);
    v += intel_sub_group_shuffle_down(v, v, 2) + sub_group_broadcast(v, 5);
    out[get_global_id(0)] = sub_group_reduce_add(v) + sub_group_scan_exclusive_max(v);
    if (sub_group_any(v > 3)) out[0] = 1;
}
__attribute__((intel_reqd_sub_group_size(8)))
kernel void blocks(global const uint* in, global uint* out) {
    const uint4 v = intel_sub_group_block_read4(in + get_group_id(0) * 32);
    intel_sub_group_block_write2(out + get_group_id(0) * 16, v.xy + v.zw);
}
__attribute__((intel_reqd_sub_group_size(32)))
kernel void wide(global const short* in, global short* out, global int* o) {
    out[get_global_id(0)] = in[get_global_id(0)] * 3 + (short)get_sub_group_local_id();
    o[get_global_id(0)] = sub_group_reduce_min((int)in[get_global_id(0)]);
}
