// Vector types, swizzles, block moves and comparisons.
kernel void matrix4(global const float4* m, global const float4* v, global float4* out) {
    const size_t i = get_global_id(0);
    const float4 x = v[i];
    out[i] = (float4)(dot(m[0], x), dot(m[1], x), dot(m[2], x), dot(m[3], x)) + cross(x, x.yzxw) + normalize(x);
}
kernel void shuffles(global const uint16* in, global uint16* out, global const uint4* mask) {
    const size_t i = get_global_id(0);
    out[i] = in[i].s0f1e2d3c4b5a6978 + shuffle(in[i], (uint16)(mask[i], mask[i], mask[i], mask[i]));
}
kernel void comparisons(global const float4* a, global const float4* b, global int4* out) {
    const size_t i = get_global_id(0);
    int4 r = isless(a[i], b[i]) + isnan(a[i]) * 2 + (a[i] != b[i]) * 4 + isunordered(a[i], b[i]);
    r += signbit(a[i]) + isfinite(b[i]) + (any(a[i] > 3.0f) ? 8 : 0) + (all(b[i] > 1.0f) ? 16 : 0);
    out[i] = r;
}
kernel void bytes(global const uchar16* a, global short16* out) {
    const size_t i = get_global_id(0);
    out[i] = convert_short16(a[i]) * (short16)(1, 2, 3, 4, 5, 6, 7, 8, -1, -2, -3, -4, -5, -6, -7, -8);
}
