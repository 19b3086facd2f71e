// SPDX-License-Identifier: Apache-2.0
// W-8: one dependent chain of multiply-adds per work-item in each type; short as vectors of 2, char
// as vectors of 4, half as vectors of 2.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define TURNS 128
#define CHAIN(name, type, scalar, next)                                              \
    kernel void name(global type* data) {                                            \
        type x = (type)((scalar)get_global_id(0)), y = (type)((scalar)get_local_id(0)); \
        for (int i = 0; i < TURNS; ++i) {                                            \
            x = next(y, x, y); y = next(x, y, x); x = next(y, x, y); y = next(x, y, x); \
            x = next(y, x, y); y = next(x, y, x); x = next(y, x, y); y = next(x, y, x); \
            x = next(y, x, y); y = next(x, y, x); x = next(y, x, y); y = next(x, y, x); \
            x = next(y, x, y); y = next(x, y, x); x = next(y, x, y); y = next(x, y, x); \
        }                                                                            \
        data[get_global_id(0)] = y;                                                  \
    }
#define INTEGER(a, b, c) ((a) * (b) + (c))
CHAIN(chain_fp64, double, double, fma)
CHAIN(chain_fp32, float, float, fma)
CHAIN(chain_fp16, half2, half, fma)
CHAIN(chain_int64, long, long, INTEGER)
CHAIN(chain_int32, int, int, INTEGER)
CHAIN(chain_int16, short2, short, INTEGER)
CHAIN(chain_int8, char4, char, INTEGER)
