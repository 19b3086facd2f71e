// Half precision and its conversions.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void half_arithmetic(global const half* a, global const half* b, global half* out) {
    const size_t i = get_global_id(0);
    const half x = a[i], y = b[i];
    out[i] = fma(x, y, (half)0.5h) + fmax(x, y) * (half)3.0h - x / y + sqrt(x) + exp2(y);
}
kernel void half_vectors(global const half8* a, global half8* out, global float8* wide) {
    const size_t i = get_global_id(0);
    const half8 x = a[i];
    out[i] = x.s76543210 * x + select(x, -x, isgreater(x, (half8)(0.25h)));
    wide[i] = convert_float8(x);
}
kernel void half_storage(global const float4* a, global half* out, global int* bits) {
    const size_t i = get_global_id(0);
    vstore_half4_rtz(a[i], i, out);
    vstore_half4_rte(a[i] + 1.0f, i + 64, out);
    bits[i] = convert_int(vload_half(i, out));
}
