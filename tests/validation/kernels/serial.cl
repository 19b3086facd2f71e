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

// thomas: a work-item solves a tridiagonal system whose rows are `systems` numbers apart, so that
// the work-items' rows lie side by side. For all that the compiler knows, arrays may overlap.
kernel void thomas(global const double* lower, global const double* diagonal,
                   global double* upper, global double* right, int systems, int rows) {
    const int first = get_global_id(0), last = systems * (rows - 1) + first;
    if (first >= systems) return;
    upper[first] /= diagonal[first];
    right[first] /= diagonal[first];
    for (int i = first + systems; i < last; i += systems) {
        upper[i] /= diagonal[i] - lower[i] * upper[i - systems];
        right[i] = (right[i] - lower[i] * right[i - systems]) /
                   (diagonal[i] - lower[i] * upper[i - systems]);
    }
    right[last] = (right[last] - lower[last] * right[last - systems]) /
                  (diagonal[last] - lower[last] * upper[last - systems]);
    for (int i = last - systems; i >= first; i -= systems)
        right[i] -= upper[i] * right[i + systems];
}
