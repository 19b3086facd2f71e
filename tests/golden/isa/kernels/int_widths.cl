// Integers of all widths: arithmetic, saturation, shifts, conversions.
kernel void int8_ops(global const char4* a, global const uchar4* b, global char4* c, global uchar4* d) {
    const size_t i = get_global_id(0);
    c[i] = add_sat(a[i], convert_char4_sat(b[i])) * (char4)(3) - as_char4(abs_diff(b[i], (uchar4)7));
    d[i] = rhadd(b[i], as_uchar4(a[i])) >> (uchar4)(1);
}
kernel void int16_ops(global const short8* a, global const ushort8* b, global short8* c, global ushort8* d) {
    const size_t i = get_global_id(0);
    c[i] = mul_hi(a[i], (short8)(1234)) + hadd(a[i], as_short8(b[i])) + sub_sat(a[i], (short8)100);
    d[i] = rotate(b[i], (ushort8)(5)) ^ clz(b[i]) ^ popcount(b[i]);
}
kernel void int32_ops(global const int* a, global const uint* b, global int* c, global uint* d) {
    const size_t i = get_global_id(0);
    const int x = a[i];
    const uint y = b[i];
    c[i] = mad_hi(x, 77777, x) + mad24(x, 13, 7) + mul24(x, x) + add_sat(x, 0x7fffffff) + abs(x) + (x >> 3);
    d[i] = mul_hi(y, 0xCCCCCCCDu) + clz(y) + popcount(y) + rotate(y, 7u) + max(y, 100u) + (y << (x & 31)) +
           bitselect(y, (uint)x, 0x00ff00ffu) + upsample((ushort)y, (ushort)x);
}
kernel void int64_ops(global const long* a, global const ulong* b, global long* c, global ulong* d) {
    const size_t i = get_global_id(0);
    c[i] = a[i] * 0x123456789abcdefL + mul_hi(a[i], 99999999999L) - (a[i] >> 17);
    d[i] = (b[i] << 5 | b[i] >> 59) + min(b[i], 5000000000UL) + clz(b[i]) + add_sat(b[i], 1UL);
}
