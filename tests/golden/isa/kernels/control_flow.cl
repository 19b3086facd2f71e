// Divergent loops, breaks, continues, switches, early returns, uniform branches.
kernel void collatz(global const uint* in, global uint* steps) {
    uint n = in[get_global_id(0)], count = 0;
    while (n != 1 && count < 1000) {
        n = (n & 1) ? 3 * n + 1 : n / 2;
        ++count;
    }
    steps[get_global_id(0)] = count;
}
kernel void classify(global const int* in, global int* out, int mode) {
    const size_t i = get_global_id(0);
    int v = in[i];
    if (v < -1000) { out[i] = -7; return; }
    switch (v & 15) {
        case 0: v += 5; break;
        case 1: v *= v; break;
        case 2: v = ~v; break;
        case 3: v <<= mode; break;
        case 7: out[i] = v; return;
        case 9: v -= 3;
        case 10: v ^= 0x55; break;
        default: v = -v;
    }
    for (int k = 0; k < v; ++k) {
        if (k * k == mode) continue;
        if (in[k] == v) break;
        for (int j = k; j < 10 + k; j += 3) v += (in[j] > 3) ? j : -1;
        if (mode == 3) v += k;
    }
    if (mode > 4) out[i] = v; else out[i + 1] = v + 1;
}
kernel void mandelbrot(global uchar* out, float x0, float y0, float step) {
    const float cx = x0 + step * get_global_id(0), cy = y0 + step * get_global_id(1);
    float x = 0, y = 0;
    int k = 0;
    do {
        const float t = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = t;
    } while (++k < 255 && x * x + y * y < 4.0f);
    out[get_global_id(1) * get_global_size(0) + get_global_id(0)] = k;
}
