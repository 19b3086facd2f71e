// Conversions between every pair of scalar types, with rounding and saturation.
kernel void from_float(global const float* in, global uchar* a, global char* b, global ushort* c, global short* d,
                       global uint* e, global int* f, global ulong* g, global long* h) {
    const size_t i = get_global_id(0);
    const float x = in[i];
    a[i] = convert_uchar_sat_rte(x); b[i] = convert_char_sat(x); c[i] = convert_ushort_sat_rtp(x);
    d[i] = convert_short_rtn(x); e[i] = convert_uint_sat_rte(x); f[i] = convert_int_rte(x);
    g[i] = convert_ulong_sat(x); h[i] = convert_long_rtn(x);
}
kernel void to_float(global const uchar* a, global const short* b, global const uint* c, global const long* d,
                     global float* out) {
    const size_t i = get_global_id(0);
    out[i] = convert_float_rtz(d[i]) + convert_float_rtp(c[i]) + (float)a[i] * 0.00392156862f + (float)b[i];
}
kernel void narrow(global const int* a, global uchar* b, global short* c, global const long* d, global int* e) {
    const size_t i = get_global_id(0);
    b[i] = convert_uchar_sat(a[i]);
    c[i] = convert_short_sat(a[i]);
    e[i] = convert_int_sat(d[i]);
}
