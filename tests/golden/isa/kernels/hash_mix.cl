// Bit manipulation: hashes, bit fields, carries.
kernel void xorshift(global uint* state, global uint* out, uint rounds) {
    uint s = state[get_global_id(0)], total = 0;
    for (uint k = 0; k < rounds; ++k) {
        s ^= s << 13; s ^= s >> 17; s ^= s << 5;
        total += s;
    }
    state[get_global_id(0)] = s;
    out[get_global_id(0)] = total;
}
kernel void fields(global const uint* a, global const int* b, global uint* out) {
    const size_t i = get_global_id(0);
    const uint x = a[i];
    out[i] = ((x >> 5) & 0x3f) | ((x & 0xff) << 20) | ((b[i] << 7) >> 20) | (~x & 0x80000000u);
    out[i] += (x & -x) + (31 - clz(x)) + ctz(x);
}
kernel void wide_sum(global const ulong4* a, global const ulong4* b, global ulong4* out) {
    const size_t i = get_global_id(0);
    const ulong low = a[i].x + b[i].x, c0 = low < a[i].x;
    const ulong mid = a[i].y + b[i].y + c0, c1 = mid < a[i].y || (c0 && mid == a[i].y);
    out[i] = (ulong4)(low, mid, c1, (ulong)as_uint(1.0f) * (ulong)(uint)low);
}
