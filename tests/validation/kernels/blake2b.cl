// SPDX-License-Identifier: Apache-2.0
// W-7: BLAKE2b (RFC 7693) with 8 bytes of result, of a nonce and 32 further bytes; counts up the
// nonce with the work-item.
constant ulong kInitial[8] = {0x6a09e667f3bcc908UL, 0xbb67ae8584caa73bUL, 0x3c6ef372fe94f82bUL,
                              0xa54ff53a5f1d36f1UL, 0x510e527fade682d1UL, 0x9b05688c2b3e6c1fUL,
                              0x1f83d9abfb41bd6bUL, 0x5be0cd19137e2179UL};
constant uchar kOrder[12][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
    {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
    {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
    {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
    {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3}};
#define RIGHT(x, n) rotate(x, (ulong)(64 - n))
#define MIX(i, a, b, c, d)                      \
    a += b + m[kOrder[round][2 * i]];           \
    d = RIGHT(d ^ a, 32);                       \
    c += d;                                     \
    b = RIGHT(b ^ c, 24);                       \
    a += b + m[kOrder[round][2 * i + 1]];       \
    d = RIGHT(d ^ a, 16);                       \
    c += d;                                     \
    b = RIGHT(b ^ c, 63);

kernel void work(ulong first, ulong4 root, ulong least, global ulong* found) {
    const ulong nonce = first + get_global_id(0);
    const ulong m[16] = {nonce, root.x, root.y, root.z, root.w};
    const ulong h0 = kInitial[0] ^ 0x01010008UL;
    ulong v0 = h0, v1 = kInitial[1], v2 = kInitial[2], v3 = kInitial[3], v4 = kInitial[4],
          v5 = kInitial[5], v6 = kInitial[6], v7 = kInitial[7], v8 = kInitial[0], v9 = kInitial[1],
          v10 = kInitial[2], v11 = kInitial[3], v12 = kInitial[4] ^ 40, v13 = kInitial[5],
          v14 = ~kInitial[6], v15 = kInitial[7];
#pragma unroll
    for (int round = 0; round < 12; ++round) {
        MIX(0, v0, v4, v8, v12)
        MIX(1, v1, v5, v9, v13)
        MIX(2, v2, v6, v10, v14)
        MIX(3, v3, v7, v11, v15)
        MIX(4, v0, v5, v10, v15)
        MIX(5, v1, v6, v11, v12)
        MIX(6, v2, v7, v8, v13)
        MIX(7, v3, v4, v9, v14)
    }
    if ((h0 ^ v0 ^ v8) >= least) *found = nonce;
}
