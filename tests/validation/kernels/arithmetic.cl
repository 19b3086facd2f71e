// SPDX-License-Identifier: Apache-2.0
// W-8: one dependent chain of multiply-adds per work-item in each type, as many as in the published
// program, without a loop as there, and the store of a word; short and half as vectors of 2, char
// as vectors of 4. As published, the bytes of an id are the elements of short and char: upper
// halves are 0, which the compiler knows of the local id, and of short it leaves out half of the
// chain. A half has both ids.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define CHAIN(name, type, of, turns, next, last)                                     \
    kernel void name(global float* data) {                                           \
        const uint global_id = get_global_id(0), local_id = get_local_id(0);         \
        type x = of(global_id, local_id), y = of(local_id, global_id);               \
        __attribute__((opencl_unroll_hint(turns))) for (int i = 0; i < turns; ++i) { \
            x = next(y, x, y);                                                       \
            y = next(x, y, x);                                                       \
        }                                                                            \
        data[global_id] = last;                                                      \
    }
#define INTEGER(a, b, c) ((a) * (b) + (c))
#define DOUBLE(id, other) ((double)(id))
#define FLOAT(id, other) ((float)(id))
#define HALF2(id, other) ((half2)((half)(float)(id), (half)(float)(other)))
#define LONG(id, other) ((long)(id))
#define INT(id, other) ((int)(id))
#define SHORT2(id, other) as_short2((int)(id))
#define CHAR4(id, other) as_char4((int)(id))
CHAIN(chain_fp64, double, DOUBLE, 128, fma, (float)y)
CHAIN(chain_fp32, float, FLOAT, 512, fma, y)
CHAIN(chain_fp16, half2, HALF2, 512, fma, as_float(y))
CHAIN(chain_int64, long, LONG, 8, INTEGER, as_float((int)y))
CHAIN(chain_int32, int, INT, 512, INTEGER, as_float(y))
CHAIN(chain_int16, short2, SHORT2, 128, INTEGER, as_float(y))
CHAIN(chain_int8, char4, CHAR4, 64, INTEGER, as_float(y))
