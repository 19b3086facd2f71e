// Tiled matrix multiply with SLM, plain and with vectors.
kernel __attribute__((reqd_work_group_size(16, 16, 1)))
void sgemm(global const float* a, global const float* b, global float* c, int n) {
    local float ta[16][16], tb[16][16];
    const int x = get_local_id(0), y = get_local_id(1), gx = get_global_id(0), gy = get_global_id(1);
    float sum = 0;
    for (int t = 0; t < n; t += 16) {
        ta[y][x] = a[gy * n + t + x];
        tb[y][x] = b[(t + y) * n + gx];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 16; ++k) sum = mad(ta[y][k], tb[k][x], sum);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[gy * n + gx] = sum;
}
kernel void sgemv(global const float4* a, global const float4* x, global float* y, int n4) {
    float s = 0;
    for (int k = 0; k < n4; ++k) s += dot(a[get_global_id(0) * n4 + k], x[k]);
    y[get_global_id(0)] = s;
}
