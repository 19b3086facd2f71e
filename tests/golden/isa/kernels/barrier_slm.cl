// Shared local memory, barriers and fences: reduction, transpose, prefix sum.
kernel void reduce(global const float* in, global float* out, local float* scratch) {
    const uint l = get_local_id(0), n = get_local_size(0);
    scratch[l] = in[get_global_id(0)];
    for (uint s = n / 2; s > 0; s >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < s) scratch[l] += scratch[l + s];
    }
    if (l == 0) out[get_group_id(0)] = scratch[0];
}
kernel __attribute__((reqd_work_group_size(16, 16, 1)))
void transpose(global const float* in, global float* out, uint width, uint height) {
    local float tile[16][17];
    const uint x = get_local_id(0), y = get_local_id(1);
    tile[y][x] = in[get_global_id(1) * width + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    out[(get_group_id(0) * 16 + y) * height + get_group_id(1) * 16 + x] = tile[x][y];
}
kernel void scan_bytes(global const uchar* in, global uchar* out) {
    local uchar buffer[256];
    const uint l = get_local_id(0);
    buffer[l] = in[l];
    for (uint d = 1; d < 256; d <<= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const uchar t = l >= d ? buffer[l - d] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        buffer[l] += t;
    }
    out[l] = buffer[l];
    mem_fence(CLK_GLOBAL_MEM_FENCE);
}
