// Function calls that stay calls.
__attribute__((noinline)) int fibonacci_step(int a, int b, global int* trace) {
    trace[get_global_id(0)] = a;
    return a + b * 3;
}
__attribute__((noinline)) float blend(float a, float b, int n) {
    for (int i = 0; i < n; ++i) a = a * b + (float)i;
    return a;
}
kernel void caller(global int* out, global float* f, int n) {
    int a = get_global_id(0), b = 1;
    for (int i = 0; i < n; ++i) { const int c = fibonacci_step(a, b, out); a = b; b = c; }
    out[get_global_id(0)] = b;
    if (a & 1) f[get_global_id(0)] = blend(f[a], 0.5f, a);
}
