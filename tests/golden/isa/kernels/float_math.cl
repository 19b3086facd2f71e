// Single-precision arithmetic, native and precise math functions, divides and roots.
kernel void float_arithmetic(global const float* a, global const float* b, global float* out) {
    const size_t i = get_global_id(0);
    float x = a[i], y = b[i];
    float r = mad(x, y, 1.5f) + fma(x, x, -y) + mix(x, y, 0.25f);
    r += floor(x) + ceil(y) + rint(x * y) + trunc(y) + fract(x, &y);
    r = fmax(r, fmin(x, fabs(y))) - copysign(r, -y);
    out[i] = clamp(r, 0.0f, 1.0f);
}
kernel void float_functions(global const float* a, global float* out) {
    const size_t i = get_global_id(0);
    const float x = a[i];
    out[i] = native_sin(x) + native_cos(x) + native_exp2(x) + native_log2(x) + native_rsqrt(x) +
             native_sqrt(x) + native_recip(x) + native_powr(x, 2.5f) + sin(x) + exp(x) + log(x) +
             pow(x, 3.7f) + tan(x) + atan2(x, 2.0f) + hypot(x, 3.0f) + ldexp(x, 3) + (float)ilogb(x);
}
kernel void float_division(global const float* a, global const float* b, global float* out) {
    const size_t i = get_global_id(0);
    out[i] = a[i] / b[i] + sqrt(b[i]) + fmod(a[i], b[i]) + remainder(a[i], b[i]);
}
