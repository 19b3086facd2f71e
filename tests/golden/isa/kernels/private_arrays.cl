// Private arrays: indexed registers and scratch.
kernel void small_sort(global int* data) {
    int v[8];
    const size_t base = get_global_id(0) * 8;
    for (int i = 0; i < 8; ++i) v[i] = data[base + i];
    for (int i = 1; i < 8; ++i)
        for (int j = i; j > 0 && v[j - 1] > v[j]; --j) { const int t = v[j]; v[j] = v[j - 1]; v[j - 1] = t; }
    for (int i = 0; i < 8; ++i) data[base + i] = v[i];
}
kernel void indexed(global const int* index, global float* out, float seed) {
    float v[16];
    for (int i = 0; i < 16; ++i) v[i] = seed * i;
    out[get_global_id(0)] = v[index[get_global_id(0)] & 15];
}
kernel void large_scratch(global const uint* in, global uint* out) {
    uint table[300];
    for (int i = 0; i < 300; ++i) table[i] = in[i] * i;
    uint k = get_global_id(0) % 300;
    for (int i = 0; i < 50; ++i) { table[k] += i; k = table[k] % 300; }
    out[get_global_id(0)] = table[k];
}
