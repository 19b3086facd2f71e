// Integer division and remainder of all widths, signed and unsigned, by variables and constants.
kernel void divide32(global const int* a, global const int* b, global const uint* u, global const uint* v,
                     global int* q, global uint* r) {
    const size_t i = get_global_id(0);
    q[i] = a[i] / b[i] + a[i] % b[i] + a[i] / 7 - a[i] % 10;
    r[i] = u[i] / v[i] + u[i] % v[i] + u[i] / 1000003u;
}
kernel void divide_narrow(global const short* a, global const uchar* b, global int* out) {
    const size_t i = get_global_id(0);
    out[i] = a[i] / (b[i] + 1) + a[i] % (short)(b[i] | 1) + (b[i] / 3);
}
kernel void divide64(global const long* a, global const long* b, global const ulong* u, global long* q) {
    const size_t i = get_global_id(0);
    q[i] = a[i] / b[i] + (long)(u[i] % (ulong)b[i]);
}
