// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
extern "C" {
#include <astcenc.h>
}
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>
static float h2f(unsigned short h) {
    int e = h >> 10 & 31, m = h & 1023;
    float s = h >> 15 ? -1 : 1;
    if (e == 31) return m ? NAN : s * INFINITY;
    return s * (e ? ldexpf(1 + m / 1024.f, e - 15) : ldexpf(m / 1024.f, -14));
}
int main() {
    std::mt19937 r(5);
    FILE* f = fopen("astc.bin", "wb");
    const int sz[][3] = {{4, 4, 0x00},   {5, 4, 0x08},  {5, 5, 0x09},  {6, 5, 0x11},
                         {6, 6, 0x12},   {8, 5, 0x21},  {8, 6, 0x22},  {8, 8, 0x24},
                         {10, 5, 0x31},  {10, 6, 0x32}, {10, 8, 0x34}, {10, 10, 0x36},
                         {12, 10, 0x3E}, {12, 12, 0x3F}};
    int bad = 0, tot = 0;
    for (auto& s : sz)
        for (int srgb = 0; srgb < 2; ++srgb) {
            int bw = s[0], bh = s[1];
            if (srgb && !(bw == bh && (bw == 4 || bw == 6 || bw == 12))) continue;
            const int N = 24;
            astcenc_config c;
            astcenc_config_init(srgb ? ASTCENC_PRF_LDR_SRGB : ASTCENC_PRF_LDR, bw, bh, 1,
                                ASTCENC_PRE_THOROUGH, 0, &c);
            astcenc_context* x;
            astcenc_context_alloc(&c, 1, &x);
            int W = bw * N, H = bh;
            std::vector<unsigned char> img(W * H * 4);
            for (int b = 0; b < N; ++b) {
                int kind = b % 8;
                int c0[4], c1[4], c2[4];
                for (int k = 0; k < 4; ++k) {
                    c0[k] = r() & 255;
                    c1[k] = r() & 255;
                    c2[k] = r() & 255;
                }
                if (kind < 3) c0[3] = c1[3] = c2[3] = 255;
                for (int y = 0; y < bh; ++y)
                    for (int xx = 0; xx < bw; ++xx)
                        for (int k = 0; k < 4; ++k) {
                            float t = (xx * 0.7f + y * 0.3f) / (bw + bh);
                            int v;
                            switch (kind) {
                                case 0:
                                    v = c0[k] + (c1[k] - c0[k]) * t;
                                    break;
                                case 1:
                                    v = (xx * 2 < bw) ? c0[k] : c1[k];
                                    break;
                                case 2:
                                    v = (xx * 2 < bw)  ? c0[k] + (c2[k] - c0[k]) * t
                                        : (y * 2 < bh) ? c1[k]
                                                       : c2[k];
                                    break;
                                case 3:
                                    v = k == 3 ? c0[3] + (c1[3] - c0[3]) * (1 - t)
                                               : c0[k] + (c1[k] - c0[k]) * ((xx * y % 5) / 5.f);
                                    break;
                                case 4:
                                    v = r() & 255;
                                    break;
                                case 5:
                                    v = k == 3 ? (r() & 255) : c0[0] + (c1[0] - c0[0]) * t;
                                    break;
                                case 6:
                                    v = c0[k];
                                    break;
                                default:
                                    v = (xx + y) & 1 ? c0[k] + (int)(r() & 31) : c1[k];
                            }
                            if (k == 3 && kind < 3) v = 255;
                            img[(y * W + b * bw + xx) * 4 + k] = v < 0 ? 0 : v > 255 ? 255 : v;
                        }
            }
            void* sl = img.data();
            astcenc_image im{(unsigned)W, (unsigned)H, 1, ASTCENC_TYPE_U8, &sl};
            astcenc_swizzle sw{ASTCENC_SWZ_R, ASTCENC_SWZ_G, ASTCENC_SWZ_B, ASTCENC_SWZ_A};
            std::vector<unsigned char> out(N * 16);
            if (astcenc_compress_image(x, &im, &sw, out.data(), out.size(), 0)) {
                puts("err");
                return 1;
            }
            astcenc_compress_reset(x);
            for (int b = N / 2; b < N; ++b) {
                for (int bit = 30; bit < 110; ++bit)
                    if (r() % 3 == 0) out[b * 16 + bit / 8] ^= 1 << bit % 8;
                if (b % 4 == 3) out[b * 16 + 1] ^= 1 << (3 + r() % 2);
                if (b % 8 == 5)
                    for (int k = 0; k < 2; ++k)
                        out[b * 16 + k] = r();
            }
            std::vector<unsigned short> dec(W * H * 4);
            std::vector<unsigned char> dec8(W * H * 4);
            void* ds = srgb ? (void*)dec8.data() : (void*)dec.data();
            astcenc_image di{(unsigned)W, (unsigned)H, 1, srgb ? ASTCENC_TYPE_U8 : ASTCENC_TYPE_F16,
                             &ds};
            if (astcenc_decompress_image(x, out.data(), out.size(), &di, &sw, 0)) {
                puts("derr");
                return 1;
            }
            char name[24] = {};
            snprintf(name, 24, "astc_%dx%d%s", bw, bh, srgb ? "_srgb" : "");
            unsigned hdr[6] = {
                (unsigned)(s[2] | (srgb ? 0 : 0x40)), 1, 16, (unsigned)bw, (unsigned)bh, N};
            fwrite(name, 24, 1, f);
            fwrite(hdr, 24, 1, f);
            fwrite(out.data(), 16, N, f);
            for (int b = 0; b < N; ++b) {
                ++tot;
                bool isbad = false;
                for (int y = 0; y < bh; ++y)
                    for (int xx = 0; xx < bw; ++xx) {
                        float px[4];
                        for (int k = 0; k < 4; ++k) {
                            int i = (y * W + b * bw + xx) * 4 + k;
                            if (!srgb) {
                                px[k] = h2f(dec[i]);
                            } else {
                                double v = dec8[i] / 255.0;
                                px[k] = k == 3 ? v
                                               : (v <= 0.04045 ? v / 12.92
                                                               : pow((v + 0.055) / 1.055, 2.4));
                            }
                        }
                        if (std::isnan(px[0]) || (px[0] == 255 / 256.f && px[1] == 0 &&
                                                  px[2] == 255 / 256.f && px[3] == 255 / 256.f)) {
                            isbad = true;
                            px[0] = 1;
                            px[1] = 0;
                            px[2] = 1;
                            px[3] = 1;
                        }
                        fwrite(px, 4, 4, f);
                    }
                bad += isbad;
            }
            astcenc_context_free(x);
        }
    fclose(f);
    printf("%d blocks, %d illegal\n", tot, bad);
}
