// SPDX-License-Identifier: Apache-2.0
// Programs of HeCBench's table that pass once over arrays larger than the LLC, after their sources.

// su3: the products of four matrices of each site of a lattice with four that all sites share. A
// work-item has an element of a product.
typedef struct {
    double real, imag;
} Complex;
typedef struct {
    Complex e[3][3];
} Matrix;
typedef struct {
    Matrix link[4];
    int x, y, z, t, index;
    char parity;
    int pad[10];
} __attribute__((aligned(16))) Site;

// A product of which both parts are no numbers, by the rules of C++ for infinities.
Complex infinite_product(double a, double b, double c, double d) {
    bool again = false;
    const bool left = isinf(a) || isinf(b), right = isinf(c) || isinf(d);
    if (left) {
        a = copysign(isinf(a) ? 1.0 : 0.0, a);
        b = copysign(isinf(b) ? 1.0 : 0.0, b);
        c = isnan(c) ? copysign(0.0, c) : c;
        d = isnan(d) ? copysign(0.0, d) : d;
        again = true;
    }
    if (right) {
        c = copysign(isinf(c) ? 1.0 : 0.0, c);
        d = copysign(isinf(d) ? 1.0 : 0.0, d);
        a = isnan(a) ? copysign(0.0, a) : a;
        b = isnan(b) ? copysign(0.0, b) : b;
        again = true;
    }
    if (!again && (isinf(a * c) || isinf(b * d) || isinf(a * d) || isinf(b * c))) {
        a = isnan(a) ? copysign(0.0, a) : a;
        b = isnan(b) ? copysign(0.0, b) : b;
        c = isnan(c) ? copysign(0.0, c) : c;
        d = isnan(d) ? copysign(0.0, d) : d;
        again = true;
    }
    Complex product = {a * c - b * d, a * d + b * c};
    if (again) {
        product.real *= INFINITY;
        product.imag *= INFINITY;
    }
    return product;
}

kernel void links(global const Site* sites, global const Matrix* shared, global Site* out,
                  ulong count) {
    const size_t id = get_global_id(0), site = id / 36;
    if (site >= count) return;
    const int j = id % 36 / 9, k = id % 9 / 3, l = id % 3;
    Complex sum = {0, 0};
    for (int m = 0; m < 3; ++m) {
        const Complex a = sites[site].link[j].e[k][m], b = shared[j].e[m][l];
        Complex product = {a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real};
        if (isnan(product.real) && isnan(product.imag))
            product = infinite_product(a.real, a.imag, b.real, b.imag);
        sum.real += product.real;
        sum.imag += product.imag;
    }
    out[site].link[j].e[k][l] = sum;
}
