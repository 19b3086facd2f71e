// SPDX-License-Identifier: Apache-2.0
// Programs of HeCBench's table in which a work-item goes through a long row of its own.

// softmax: a work-item has a slice of the array, of which it reads the first elements three times.
kernel void softmax(global const float* in, global float* out, int slices, int stride,
                    int elements) {
    const int slice = get_global_id(0);
    if (slice >= slices) return;
    float most = in[slice * stride];
    for (int i = 0; i < elements; ++i) most = max(most, in[slice * stride + i]);
    float sum = 0;
    for (int i = 0; i < elements; ++i) sum += exp(in[slice * stride + i] - most);
    for (int i = 0; i < elements; ++i)
        out[slice * stride + i] = exp(in[slice * stride + i] - most) / sum;
}
