// SPDX-License-Identifier: Apache-2.0
// W-3: MD5 (RFC 1321) of keys of 5 bytes, each of `values` values. A work-item has the keys that
// differ in their first byte alone.
#define F(x, y, z) ((x & y) | (~x & z))
#define G(x, y, z) ((x & z) | (y & ~z))
#define H(x, y, z) (x ^ y ^ z)
#define I(x, y, z) (y ^ (x | ~z))
#define STEP(f, a, b, c, d, word, turn, sine) a = b + rotate(a + f(b, c, d) + word + sine, turn##u);

kernel void search(uint values, uint turns, uint4 wanted, global uint* found) {
    const uint item = get_global_id(0);
    uint rest = item;
    const uint k1 = rest % values;
    rest /= values;
    const uint k2 = rest % values;
    rest /= values;
    const uint k3 = rest % values;
    rest /= values;
    const uint w1 = rest % values | 0x8000, w14 = 5 * 8;
    uint w0 = k1 << 8 | k2 << 16 | k3 << 24;
    for (uint i = 0; i < turns; ++i, ++w0) {
        uint a = 0x67452301u, b = 0xefcdab89u, c = 0x98badcfeu, d = 0x10325476u;
        STEP(F, a, b, c, d, w0, 7, 0xd76aa478u)
        STEP(F, d, a, b, c, w1, 12, 0xe8c7b756u)
        STEP(F, c, d, a, b, 0, 17, 0x242070dbu)
        STEP(F, b, c, d, a, 0, 22, 0xc1bdceeeu)
        STEP(F, a, b, c, d, 0, 7, 0xf57c0fafu)
        STEP(F, d, a, b, c, 0, 12, 0x4787c62au)
        STEP(F, c, d, a, b, 0, 17, 0xa8304613u)
        STEP(F, b, c, d, a, 0, 22, 0xfd469501u)
        STEP(F, a, b, c, d, 0, 7, 0x698098d8u)
        STEP(F, d, a, b, c, 0, 12, 0x8b44f7afu)
        STEP(F, c, d, a, b, 0, 17, 0xffff5bb1u)
        STEP(F, b, c, d, a, 0, 22, 0x895cd7beu)
        STEP(F, a, b, c, d, 0, 7, 0x6b901122u)
        STEP(F, d, a, b, c, 0, 12, 0xfd987193u)
        STEP(F, c, d, a, b, w14, 17, 0xa679438eu)
        STEP(F, b, c, d, a, 0, 22, 0x49b40821u)
        STEP(G, a, b, c, d, w1, 5, 0xf61e2562u)
        STEP(G, d, a, b, c, 0, 9, 0xc040b340u)
        STEP(G, c, d, a, b, 0, 14, 0x265e5a51u)
        STEP(G, b, c, d, a, w0, 20, 0xe9b6c7aau)
        STEP(G, a, b, c, d, 0, 5, 0xd62f105du)
        STEP(G, d, a, b, c, 0, 9, 0x02441453u)
        STEP(G, c, d, a, b, 0, 14, 0xd8a1e681u)
        STEP(G, b, c, d, a, 0, 20, 0xe7d3fbc8u)
        STEP(G, a, b, c, d, 0, 5, 0x21e1cde6u)
        STEP(G, d, a, b, c, w14, 9, 0xc33707d6u)
        STEP(G, c, d, a, b, 0, 14, 0xf4d50d87u)
        STEP(G, b, c, d, a, 0, 20, 0x455a14edu)
        STEP(G, a, b, c, d, 0, 5, 0xa9e3e905u)
        STEP(G, d, a, b, c, 0, 9, 0xfcefa3f8u)
        STEP(G, c, d, a, b, 0, 14, 0x676f02d9u)
        STEP(G, b, c, d, a, 0, 20, 0x8d2a4c8au)
        STEP(H, a, b, c, d, 0, 4, 0xfffa3942u)
        STEP(H, d, a, b, c, 0, 11, 0x8771f681u)
        STEP(H, c, d, a, b, 0, 16, 0x6d9d6122u)
        STEP(H, b, c, d, a, w14, 23, 0xfde5380cu)
        STEP(H, a, b, c, d, w1, 4, 0xa4beea44u)
        STEP(H, d, a, b, c, 0, 11, 0x4bdecfa9u)
        STEP(H, c, d, a, b, 0, 16, 0xf6bb4b60u)
        STEP(H, b, c, d, a, 0, 23, 0xbebfbc70u)
        STEP(H, a, b, c, d, 0, 4, 0x289b7ec6u)
        STEP(H, d, a, b, c, w0, 11, 0xeaa127fau)
        STEP(H, c, d, a, b, 0, 16, 0xd4ef3085u)
        STEP(H, b, c, d, a, 0, 23, 0x04881d05u)
        STEP(H, a, b, c, d, 0, 4, 0xd9d4d039u)
        STEP(H, d, a, b, c, 0, 11, 0xe6db99e5u)
        STEP(H, c, d, a, b, 0, 16, 0x1fa27cf8u)
        STEP(H, b, c, d, a, 0, 23, 0xc4ac5665u)
        STEP(I, a, b, c, d, w0, 6, 0xf4292244u)
        STEP(I, d, a, b, c, 0, 10, 0x432aff97u)
        STEP(I, c, d, a, b, w14, 15, 0xab9423a7u)
        STEP(I, b, c, d, a, 0, 21, 0xfc93a039u)
        STEP(I, a, b, c, d, 0, 6, 0x655b59c3u)
        STEP(I, d, a, b, c, 0, 10, 0x8f0ccc92u)
        STEP(I, c, d, a, b, 0, 15, 0xffeff47du)
        STEP(I, b, c, d, a, w1, 21, 0x85845dd1u)
        STEP(I, a, b, c, d, 0, 6, 0x6fa87e4fu)
        STEP(I, d, a, b, c, 0, 10, 0xfe2ce6e0u)
        STEP(I, c, d, a, b, 0, 15, 0xa3014314u)
        STEP(I, b, c, d, a, 0, 21, 0x4e0811a1u)
        STEP(I, a, b, c, d, 0, 6, 0xf7537e82u)
        STEP(I, d, a, b, c, 0, 10, 0xbd3af235u)
        STEP(I, c, d, a, b, 0, 15, 0x2ad7d2bbu)
        STEP(I, b, c, d, a, 0, 21, 0xeb86d391u)
        if (a + 0x67452301u == wanted.x && b + 0xefcdab89u == wanted.y &&
            c + 0x98badcfeu == wanted.z && d + 0x10325476u == wanted.w)
            *found = item * values + i + 1;
    }
}
