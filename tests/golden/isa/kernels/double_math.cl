// Double precision: arithmetic, division and root macros, conversions and comparisons.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void double_arithmetic(global const double* a, global const double* b, global double* out) {
    const size_t i = get_global_id(0);
    const double x = a[i], y = b[i];
    out[i] = fma(x, y, 0.5) / (y + 1.0) + sqrt(fabs(x)) - floor(y) + fmax(x, y);
}
kernel void double_conversions(global const double* a, global int* i32, global long* i64, global float* f,
                               global ulong* u64) {
    const size_t i = get_global_id(0);
    i32[i] = convert_int_sat(a[i]) + (a[i] > 1.25 ? 1 : -1);
    i64[i] = convert_long(a[i]);
    f[i] = convert_float_rtz(a[i]);
    u64[i] = as_ulong(a[i]) ^ convert_ulong(f[i]);
}
