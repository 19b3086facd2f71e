// SPDX-License-Identifier: Apache-2.0
// W-22 to W-24 and "row": matrix products by tiles of 16 x 16 in local memory, and one element or
// one row per work-item.
#define SIDE 16
#ifdef TURNS  // that the compiler makes into one
#define PRAGMA(text) _Pragma(#text)
#define UNROLL(turns) PRAGMA(unroll turns)
#define LOOP UNROLL(TURNS) for
#else
#define LOOP for
#endif

// N, the side of the matrices, is known to the compiler, the size of a group is not; both as
// published.
kernel void blocked(global const float* restrict a, global const float* restrict b,
                    global float* restrict c, local float* restrict at, local float* restrict bt) {
    const int x = get_local_id(0), y = get_local_id(1);
    int from_a = get_group_id(1) * N * SIDE, from_b = get_group_id(0) * SIDE;
    float sum = 0;
    for (int block = 0; block < N / SIDE; ++block) {
        at[y * SIDE + x] = a[from_a + y * N + x];
        bt[y * SIDE + x] = b[from_b + y * N + x];
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (int k = 0; k < SIDE; ++k) sum += at[y * SIDE + k] * bt[k * SIDE + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        from_a += SIDE;
        from_b += SIDE * N;
    }
    c[get_global_id(1) * N + get_global_id(0)] = sum;
}
// The inner tiles of an LU decomposition take off the product of their row's and column's tiles.
kernel void lu_inner(global float* m, int n, int offset, local float* row, local float* column) {
    const int x = get_local_id(0), y = get_local_id(1);
    const int down = offset + (get_group_id(1) + 1) * SIDE,
              across = offset + (get_group_id(0) + 1) * SIDE;
    row[y * SIDE + x] = m[(offset + y) * n + across + x];
    column[y * SIDE + x] = m[(down + y) * n + offset + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (int k = 0; k < SIDE; ++k) sum += column[y * SIDE + k] * row[k * SIDE + x];
    m[(down + y) * n + across + x] -= sum;
}
// The first id is the row: the reads of `a` are a row apart, those of `b` are one word.
// The compiler knows the sides, as published.
kernel void by_rows(global const float* a, global const float* b, global float* c) {
    const int i = get_global_id(0), j = get_global_id(1);
    if (i >= N || j >= N) return;
    float sum = 0;
    LOOP (int k = 0; k < DEPTH; ++k) sum += a[i * N + k] * b[k * N + j];
    c[i * N + j] = sum;
}
// A row of the product for each work-item, of which these are the first columns: its row of `a` is
// read for each column, or kept in private memory; then the column of `b` may be in local memory.
kernel void row_read(global float* a, global float* b, global float* c, int columns) {
    const int i = get_global_id(0);
    if (i >= N) return;
    for (int j = 0; j < columns; ++j) {
        float sum = 0;
        LOOP (int k = 0; k < N; ++k) sum += a[i * N + k] * b[k * N + j];
        c[i * N + j] = sum;
    }
}
kernel void row_kept(global float* a, global float* b, global float* c, int columns) {
    const int i = get_global_id(0);
    if (i >= N) return;
    float row[N];
    LOOP (int k = 0; k < N; ++k) row[k] = a[i * N + k];
    for (int j = 0; j < columns; ++j) {
        float sum = 0;
        LOOP (int k = 0; k < N; ++k) sum += row[k] * b[k * N + j];
        c[i * N + j] = sum;
    }
}
kernel void row_and_column(global float* a, global float* b, global float* c, int columns,
                           local float* column) {
    const int i = get_global_id(0), own = get_local_id(0), group = get_local_size(0);
    if (i >= N) return;
    float row[N];
    LOOP (int k = 0; k < N; ++k) row[k] = a[i * N + k];
    for (int j = 0; j < columns; ++j) {
        LOOP (int k = own; k < N; k += group) column[k] = b[k * N + j];
        barrier(CLK_LOCAL_MEM_FENCE);
        float sum = 0;
        LOOP (int k = 0; k < N; ++k) sum += row[k] * column[k];
        c[i * N + j] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
// The first id is the column: the reads of `b` are adjacent. Places are of 64 bits, as published.
kernel void by_columns(ulong n, ulong depth, global const float* a, global const float* b,
                       global float* c) {
    const ulong j = get_global_id(0), i = get_global_id(1);
    const int steps = depth;
    float sum = 0;
    for (int k = 0; k < steps; ++k) sum += a[i * depth + k] * b[k * n + j];
    c[i * n + j] = sum;
}
