// SPDX-License-Identifier: Apache-2.0
// Small kernels of one shape, each about one corner of the language. Every result is defined to the
// bit by OpenCL, so that two devices must agree on all of them.
#pragma OPENCL FP_CONTRACT OFF
#define ARGS global const uint *in, global uint *out
#define I get_global_id(0)
#define N 1024u

kernel void add_chars(ARGS) { char4 a = as_char4(in[I]), b = as_char4(in[(I + 1) % N]); out[I] = as_uint(a + b); }
kernel void sub_sat_uchars(ARGS) { out[I] = as_uint(sub_sat(as_uchar4(in[I]), as_uchar4(in[(I + 7) % N]))); }
kernel void add_sat_shorts(ARGS) { out[I] = as_uint(add_sat(as_short2(in[I]), as_short2(in[(I + 3) % N]))); }
kernel void mul_shorts(ARGS) { out[I] = as_uint((short2)(as_short2(in[I]) * as_short2(in[(I + 5) % N]))); }
kernel void mul_ints(ARGS) { out[I] = in[I] * in[(I + 1) % N] + I; }
kernel void mul_hi_ints(ARGS) { out[I] = as_uint(mul_hi(as_int(in[I]), as_int(in[(I + 1) % N]))); }
kernel void mul_hi_uints(ARGS) { out[I] = mul_hi(in[I], in[(I + 1) % N]); }
kernel void div_ints(ARGS) { int d = as_int(in[(I + 1) % N]) >> 16; out[I] = as_uint(as_int(in[I]) / (d == 0 ? 3 : d)); }
kernel void rem_uints(ARGS) { uint d = in[(I + 1) % N] >> 20; out[I] = in[I] % (d + 1); }
kernel void div_constants(ARGS) { out[I] = in[I] / 7u + in[I] / 1000u * 3u + as_uint(as_int(in[I]) / -13); }
kernel void shifts(ARGS) { uint s = in[(I + 1) % N] & 31; out[I] = (in[I] << s) ^ (in[I] >> s) ^ as_uint(as_int(in[I]) >> s); }
kernel void rotate_bits(ARGS) { out[I] = rotate(in[I], in[(I + 2) % N]); }
kernel void count_bits(ARGS) { out[I] = popcount(in[I]) + (clz(in[I] >> (I & 31)) << 8) + (clz((ushort)in[I]) << 16); }
kernel void long_add(ARGS) { ulong a = upsample(in[I], in[(I + 1) % N]); a += 0x123456789ABCDEFul; out[I] = (uint)(a >> 32) ^ (uint)a; }
kernel void long_mul(ARGS) { ulong a = upsample(in[I], in[(I + 1) % N]), b = upsample(in[(I + 2) % N], in[(I + 3) % N]); a *= b; out[I] = (uint)(a >> 32) ^ (uint)a; }
kernel void long_shift(ARGS) { long a = (long)upsample(in[I], in[(I + 1) % N]); uint s = in[(I + 2) % N] & 63; a = (a >> s) ^ (a << (63 - s)); out[I] = (uint)(a >> 32) ^ (uint)a; }
kernel void long_compare(ARGS) { long a = (long)upsample(in[I], in[(I + 1) % N]), b = (long)upsample(in[(I + 2) % N], in[I]); out[I] = (a < b) | (a == b) << 1 | ((ulong)a > (ulong)b) << 2; }
kernel void long_div(ARGS) { ulong a = upsample(in[I], in[(I + 1) % N]); ulong d = in[(I + 2) % N] | 1; out[I] = (uint)(a / d) ^ (uint)(a % d); }
kernel void float_arithmetic(ARGS) { float a = convert_float(as_int(in[I])) * 0x1p-16f, b = convert_float(as_int(in[(I + 1) % N])) * 0x1p-20f; out[I] = as_uint(a * b - a + b); }
kernel void float_fma(ARGS) { float a = convert_float(as_int(in[I])), b = convert_float(as_int(in[(I + 1) % N])); out[I] = as_uint(fma(a, b, 1.0f)); }
kernel void float_min_max(ARGS) { float a = convert_float(as_int(in[I])), b = convert_float(as_int(in[(I + 1) % N])); out[I] = as_uint(fmin(a, b) + fmax(a, 2.0f * b)); }
kernel void float_compare(ARGS) { float a = as_float(in[I]), b = as_float(in[(I + 1) % N]); out[I] = isless(a, b) | isgreaterequal(a, b) << 1 | isnan(a) << 2 | isinf(b) << 3 | (a != b) << 4 | isunordered(a, b) << 5; }
kernel void float_round(ARGS) { float a = convert_float(as_int(in[I]) >> 8) * 0.03125f; out[I] = as_uint(floor(a) + ceil(a * 2) + trunc(a * 3) + rint(a * 0.5f)); }
kernel void float_to_int(ARGS) { float a = convert_float(as_int(in[I])) * 0.37f; out[I] = as_uint(convert_int(a)) + convert_uint_sat(a) + as_uint(convert_int_rte(a * 0x1p-10f)); }
kernel void float_to_small(ARGS) { float a = convert_float(as_int(in[I])) * 0x1p-22f; out[I] = (uint)convert_uchar_sat(a) | (uint)(uchar)convert_char_sat(a) << 8 | (uint)(ushort)convert_short_sat(a * 64) << 16; }
kernel void int_to_float(ARGS) { out[I] = as_uint(convert_float(in[I])) ^ as_uint(convert_float(as_int(in[I]))) ^ as_uint(convert_float_rtz(as_int(in[I]))); }
kernel void half_load_store(global const uint *in, global uint *out) { float a = vload_half(2 * I, (global const half *)in), b = vload_half(2 * I + 1, (global const half *)in); ushort h[1]; out[I] = as_uint(isnan(a) || isnan(b) ? 0.0f : a + b); }
kernel void half_convert(global const uint *in, global uint *out) { float a = convert_float(as_int(in[I])) * 0x1p-15f; vstore_half(a, 2 * I, (global half *)out); vstore_half_rtz(a, 2 * I + 1, (global half *)out); }
kernel void double_arithmetic(ARGS) { double a = convert_double(as_int(in[I])), b = convert_double(as_int(in[(I + 1) % N])); ulong r = as_ulong(a * b + a - b * 0.125); out[I] = (uint)(r >> 32) ^ (uint)r; }
kernel void double_divide(ARGS) { double a = convert_double(as_int(in[I])), b = convert_double(as_int(in[(I + 1) % N])); ulong r = as_ulong(a / (b == 0 ? 1.0 : b)); out[I] = (uint)(r >> 32) ^ (uint)r; }
kernel void double_sqrt(ARGS) { ulong r = as_ulong(sqrt(convert_double(in[I]))); out[I] = (uint)(r >> 32) ^ (uint)r; }
kernel void double_convert(ARGS) { double a = convert_double(as_int(in[I])) * 1.37; out[I] = as_uint(convert_float(a)) + as_uint(convert_int(a * 0.5)) + (uint)convert_long(a * 1000.0); }
kernel void select_vectors(ARGS) { uint4 a = (uint4)(in[I], in[(I + 1) % N], in[(I + 2) % N], in[(I + 3) % N]); uint4 r = select(a, a.wzyx, a > a.yxwz); out[I] = r.x ^ r.y * 3 ^ r.z * 5 ^ r.w * 7; }
kernel void vector_widths(ARGS) { uint16 a = vload16(I / 16, in); uint8 b = a.lo ^ a.hi; uint4 c = b.even + b.odd; out[I] = c.s0 + c.s1 * (uint)I + c.s2 - c.s3; }
kernel void branches(ARGS) { uint v = in[I], r = 0; if (v & 1) { if (v & 2) r = v * 3; else r = v + 7; } else if (v & 4) { r = v ^ 0x55; if (v & 8) r += 11; } else r = ~v; out[I] = r; }
kernel void switches(ARGS) { uint v = in[I], r; switch (v % 7) { case 0: r = v; break; case 1: r = v * 2; case 2: r = v + 2; break; case 3: r = ~v; break; case 5: r = v >> 3; break; default: r = 99; } out[I] = r; }
kernel void loops(ARGS) { uint n = in[I] % 50, r = 1; for (uint i = 0; i < n; ++i) { if (i % 3 == 2) continue; r = r * 31 + i; if (r % 97 == 0) break; } out[I] = r; }
kernel void nested_loops(ARGS) { uint a = in[I] % 9, b = in[(I + 1) % N] % 11, r = 0; for (uint i = 0; i <= a; ++i) for (uint j = i; j <= b; ++j) { r += i * j; if (r > 200) { r -= 150; break; } } out[I] = r; }
kernel void collatz(ARGS) { uint v = in[I] % 1000 + 1, steps = 0; while (v != 1) { v = v & 1 ? 3 * v + 1 : v / 2; ++steps; } out[I] = steps; }
kernel void early_return(ARGS) { if (in[I] % 3 == 0) { out[I] = 1; return; } uint r = 0; for (uint i = 0; i < in[I] % 13; ++i) r += in[(I + i) % N] & 0xFF; if (r > 500) { out[I] = r; return; } out[I] = r + 1000; }
uint mix(uint a, uint b) { a ^= b; a *= 0x9E3779B1u; return a ^ a >> 15; }
kernel void functions(ARGS) { uint r = in[I]; for (int i = 0; i < 5; ++i) r = mix(r, in[(I + i) % N]); out[I] = r; }
struct Item { char c; short s; int i; long l; };
kernel void structs(ARGS) { struct Item items[4]; for (int k = 0; k < 4; ++k) { items[k].c = (char)(in[I] >> k); items[k].s = (short)(in[(I + k) % N]); items[k].i = k * 5; items[k].l = (long)in[I] * k; } struct Item t = items[in[I] & 3]; out[I] = (uint)(t.c + t.s + t.i + t.l); }
kernel void private_table(ARGS) { uint t[32]; for (uint k = 0; k < 32; ++k) t[(k * 7 + in[I]) & 31] = k + in[(I + k) % N]; uint r = 0; for (uint k = 0; k < 32; ++k) r = r * 3 + t[(k + (in[I] >> 5)) & 31]; out[I] = r; }
constant uint kTable[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
kernel void constant_table(ARGS) { out[I] = kTable[in[I] & 15] * kTable[(in[I] >> 4) & 15]; }
kernel void byte_access(global const uint *in, global uint *out) { global const uchar *b = (global const uchar *)in; global uchar *o = (global uchar *)out; for (int k = 0; k < 4; ++k) o[4 * I + k] = b[4 * I + (3 - k)] + (uchar)k; }
kernel void short_access(global const uint *in, global uint *out) { global const short *b = (global const short *)in; global short *o = (global short *)out; o[2 * I] = b[2 * I + 1] >> 1; o[2 * I + 1] = b[2 * I] + 3; }
kernel void odd_addresses(global const uint *in, global uint *out) { global const uchar *b = (global const uchar *)in; ushort s = vload2(0, b + (3 * I + 1) % (4 * N - 8)).x; uint4 v = convert_uint4(vload4(0, b + (5 * I) % (4 * N - 8))); out[I] = s + v.x + v.y * 2 + v.z * 3 + v.w * 4; }
kernel void long_access(global const uint *in, global uint *out) { global const ulong2 *b = (global const ulong2 *)in; ulong2 v = b[I % (N / 4)]; v += v.yx * 3; out[I] = (uint)(v.x >> 7) ^ (uint)v.y; }
kernel void local_reverse(ARGS) { local uint t[64]; uint l = get_local_id(0), n = get_local_size(0); t[l] = in[I]; barrier(CLK_LOCAL_MEM_FENCE); out[I] = t[n - 1 - l]; }
kernel void local_bytes(ARGS) { local uchar t[256]; uint l = get_local_id(0); vstore4(as_uchar4(in[I]), l, t); barrier(CLK_LOCAL_MEM_FENCE); uint r = 0; for (uint k = 0; k < 4; ++k) r = r << 8 | t[(l + 64 * k) & 255]; out[I] = r; }
kernel void local_longs(ARGS) { local ulong t[64]; uint l = get_local_id(0); t[l] = (ulong)in[I] << l; barrier(CLK_LOCAL_MEM_FENCE); ulong v = t[l ^ 5]; out[I] = (uint)(v >> 32) + (uint)v; }
kernel void prefix_sum(ARGS) { local uint t[64]; uint l = get_local_id(0); t[l] = in[I]; barrier(CLK_LOCAL_MEM_FENCE); for (uint d = 1; d < 64; d *= 2) { uint v = l >= d ? t[l - d] : 0; barrier(CLK_LOCAL_MEM_FENCE); t[l] += v; barrier(CLK_LOCAL_MEM_FENCE); } out[I] = t[l]; }
kernel void local_atomics(ARGS) { local uint t[8]; uint l = get_local_id(0); if (l < 8) t[l] = l == 4 ? ~0u : 0; barrier(CLK_LOCAL_MEM_FENCE); uint v = in[I]; atomic_add(&t[0], v); atomic_or(&t[1], v); atomic_xor(&t[2], v); atomic_max(&t[3], v); atomic_min(&t[4], v); atomic_inc(&t[5]); atomic_sub(&t[6], v); atomic_max((local int *)&t[7], as_int(v)); barrier(CLK_LOCAL_MEM_FENCE); out[I] = t[l & 7]; }
kernel void global_atomics(ARGS) { uint v = in[I]; uint b = (I & 15) * 8; atomic_add(&out[b], v); atomic_or(&out[b + 1], v); atomic_xor(&out[b + 2], v); atomic_max(&out[b + 3], v); atomic_and(&out[b + 4], v); atomic_inc(&out[b + 5]); atomic_sub(&out[b + 6], v); atomic_max((global int *)&out[b + 7], as_int(v)); }
kernel void compare_exchange(ARGS) { uint v = in[I] & 0xFF; global uint *p = &out[I & 7]; uint old = *(volatile global uint *)p; for (;;) { uint seen = atomic_cmpxchg(p, old, old + v); if (seen == old) break; old = seen; } }
kernel void ids(ARGS) { out[I] = get_global_id(0) + get_local_id(0) * 10000 + get_group_id(0) * 1000000 + get_num_groups(0) * 3 + get_global_size(0) + get_local_size(0); }
kernel void bit_tricks(ARGS) { uint v = in[I]; v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1; v = bitselect(v, ~v, 0x0F0F0F0Fu); out[I] = v ^ abs_diff(in[I], in[(I + 1) % N]) ^ hadd(in[I], v) ^ rhadd(as_int(v), as_int(in[I])); }
kernel void mad24_ints(ARGS) { out[I] = as_uint(mad24(as_int(in[I]) >> 8, as_int(in[(I + 1) % N]) >> 8, as_int(in[(I + 2) % N]))); }
kernel void shuffles(ARGS) { uint4 v = (uint4)(in[I], in[(I + 1) % N], in[(I + 2) % N], in[(I + 3) % N]); uint4 r = shuffle(v, (uint4)(3, in[I] & 3, 1, 0)); out[I] = r.x ^ r.y << 1 ^ r.z << 2 ^ r.w << 3; }
kernel void many_registers(ARGS) { uint v[24]; for (int k = 0; k < 24; ++k) v[k] = in[(I + k * 17) % N]; for (int r = 0; r < 4; ++r) for (int k = 0; k < 24; ++k) v[k] = v[k] * 5 + v[(k + 1) % 24]; uint s = 0; for (int k = 0; k < 24; ++k) s ^= v[k]; out[I] = s; }
kernel void correctly_rounded_divide(ARGS) { float a = convert_float(as_int(in[I])), b = convert_float(as_int(in[(I + 1) % N]) | 1); out[I] = as_uint(a / b); }
kernel void correctly_rounded_sqrt(ARGS) { out[I] = as_uint(sqrt(convert_float(in[I]))); }
kernel void image_samples(ARGS, read_only image2d_t bytes, read_only image2d_t colours) { const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST, linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR; const int2 at = (int2)(I & 31, in[I] >> 8 & 31); const uint4 a = read_imageui(bytes, nearest, at - 2), f = convert_uint4_rte(read_imagef(colours, linear, convert_float2(at) + (float2)(0.25f, 0.75f)) * 4080.0f); out[I] = a.x + a.y * 3 + a.w * 7 ^ f.x << 20 ^ f.y << 10 ^ f.z << 5 ^ f.w; }
