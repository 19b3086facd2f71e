// SPDX-License-Identifier: Apache-2.0
#include <squish.h>
#include <cstdio>
#include <random>
#include <vector>
int main() {
    std::mt19937 r(11);
    FILE* f = fopen("squish.bin", "wb");
    struct {
        const char* n;
        unsigned code, bytes;
        int fl;
    } F[] = {{"bc1", 0x186, 8, squish::kDxt1},
             {"bc2", 0x187, 16, squish::kDxt3},
             {"bc3", 0x188, 16, squish::kDxt5}};
    for (auto& x : F) {
        char nm[24] = {};
        snprintf(nm, 24, "%s", x.n);
        const unsigned N = 32;
        unsigned h[6] = {x.code, 0, x.bytes, 4, 4, N};
        fwrite(nm, 24, 1, f);
        fwrite(h, 24, 1, f);
        std::vector<unsigned char> b(N * x.bytes);
        for (auto& v : b)
            v = r();
        fwrite(b.data(), x.bytes, N, f);
        for (unsigned i = 0; i < N; ++i) {
            unsigned char o[64];
            squish::Decompress(o, &b[i * x.bytes], x.fl);
            for (int k = 0; k < 64; ++k) {
                float v = o[k] / 255.f;
                fwrite(&v, 4, 1, f);
            }
        }
    }
    fclose(f);
}
