// SPDX-License-Identifier: Apache-2.0
// W-8: one dependent chain of multiply-adds per work-item in each type, as many as in the published
// program, and the store of a word; short and half as vectors of 2, char as vectors of 4. As
// published, the bytes of an id are the elements of short and char: upper halves are 0, which the
// compiler knows of the local id, and of short it leaves out half of the chain. All of a long
// counts: the compiler leaves out what does not.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define CHAIN(name, type, of, turns, unrolled, next, last)                              \
    kernel void name(global float* data) {                                              \
        type x = of(get_global_id(0)), y = of(get_local_id(0));                         \
        __attribute__((opencl_unroll_hint(unrolled))) for (int i = 0; i < turns; ++i) { \
            x = next(y, x, y);                                                          \
            y = next(x, y, x);                                                          \
        }                                                                               \
        data[get_global_id(0)] = last;                                                  \
    }
#define INTEGER(a, b, c) ((a) * (b) + (c))
#define HALF2(id) (half2)((half)(id))
#define SHORT2(id) as_short2((int)(id))
#define CHAR4(id) as_char4((int)(id))
CHAIN(chain_fp64, double, (double), 128, 32, fma, (float)y)
CHAIN(chain_fp32, float, (float), 512, 32, fma, y)
CHAIN(chain_fp16, half2, HALF2, 512, 16, fma, as_float(y))
CHAIN(chain_int64, long, (long), 8, 8, INTEGER, as_float((int)(y ^ y >> 32)))
CHAIN(chain_int32, int, (int), 512, 32, INTEGER, as_float(y))
CHAIN(chain_int16, short2, SHORT2, 128, 8, INTEGER, as_float(y))
CHAIN(chain_int8, char4, CHAR4, 64, 8, INTEGER, as_float(y))
