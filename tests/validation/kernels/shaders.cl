// SPDX-License-Identifier: Apache-2.0
// W-12 and W-13: shaders that were measured as Vulkan's, as kernels; written after their published
// sources. Threads have 16 work-items, as the published ones.

// W-12: a direction is turned to a face of a cube, 128 times, in three ways. `face` is one number
// for the group or a work-item's own.
enum { kTurns = 128 };

float3 by_products(float3 v, uint face) {
    return (float3)(v.z, -v.y, -v.x) * (float)(face == 0) +
           (float3)(-v.z, -v.y, v.x) * (float)(face == 1) +
           (float3)(v.x, v.z, v.y) * (float)(face == 2) +
           (float3)(v.x, -v.z, -v.y) * (float)(face == 3) +
           (float3)(v.x, -v.y, v.z) * (float)(face == 4) +
           (float3)(-v.x, -v.y, -v.z) * (float)(face == 5);
}
float3 by_branches(float3 v, uint face) {
    if (face == 0) return (float3)(v.z, -v.y, -v.x);
    if (face == 1) return (float3)(-v.z, -v.y, v.x);
    if (face == 2) return (float3)(v.x, v.z, v.y);
    if (face == 3) return (float3)(v.x, -v.z, -v.y);
    if (face == 4) return (float3)(v.x, -v.y, v.z);
    return (float3)(-v.x, -v.y, -v.z);
}

typedef struct {
    float3 columns[3];
} Matrix;
float3 outwards(uint face) {
    switch (face) {
        case 0: return (float3)(1, 0, 0);
        case 1: return (float3)(-1, 0, 0);
        case 2: return (float3)(0, 1, 0);
        case 3: return (float3)(0, -1, 0);
        case 4: return (float3)(0, 0, 1);
        default: return (float3)(0, 0, -1);
    }
}
Matrix matrix_of(uint face) {
    const float3 normal = outwards(face), size = fabs(normal);
    const float most = fmax(size.x, fmax(size.y, size.z));
    float3 axis = most == size.x   ? (float3)(1, 0, 0)
                  : most == size.y ? (float3)(0, 1, 0)
                                   : (float3)(0, 0, 1);
    axis *= sign(dot(normal, axis));
    const float3 next = axis.yzx;
    const Matrix made = {{cross(next, axis), next, axis}};
    return made;
}
float3 by_matrix(float3 v, Matrix m) {
    return (float3)(dot(v, m.columns[0]), dot(v, m.columns[1]), dot(v, m.columns[2]));
}

float3 turned(float3 v) {
    return (float3)(0.9017f, 0.4321f, -0.00746f) * v.x +
           (float3)(-0.3461f, 0.7324f, 0.5862f) * v.y +
           (float3)(0.2588f, -0.5260f, 0.8100f) * v.z;
}

#define FACES(name, before, step)                                                             \
    __attribute__((intel_reqd_sub_group_size(16)))                                            \
    kernel void name(global float4* out, float2 size, float never) {                          \
        const uint group_face = (get_group_id(0) + get_group_id(1) * get_num_groups(0)) % 6;  \
        const float2 angles =                                                                 \
            (float2)(get_global_id(0), get_global_id(1)) / size * (float2)(6.2832f, 3.1416f); \
        float3 v = (float3)(native_sin(angles.y) * native_cos(angles.x), native_cos(angles.y), \
                            native_sin(angles.y) * native_sin(angles.x));                     \
        before;                                                                               \
        for (uint i = 0; i < kTurns; ++i) {                                                   \
            const uint own_face = (uint)(fabs(v.z) * 6.0f);                                   \
            v = step;                                                                         \
            v = turned(v);                                                                    \
        }                                                                                     \
        if (all(v < never)) out[get_global_id(0)] = (float4)(v, 0);                           \
    }
FACES(products_group, , by_products(v, group_face))
FACES(products_own, , by_products(v, own_face))
FACES(branches_group, , by_branches(v, group_face))
FACES(branches_own, , by_branches(v, own_face))
FACES(matrix_group, const Matrix m = matrix_of(group_face), by_matrix(v, m))
FACES(matrix_own, , by_matrix(v, matrix_of(own_face)))

// W-13: noise of cells.
float2 fraction2(float2 x) { return x - floor(x); }
float3 fraction3(float3 x) { return x - floor(x); }
constant float3 kScale = (float3)(0.1031f, 0.1030f, 0.0973f);
float2 hash2(float2 cell) {
    float3 p = fraction3(cell.xyx * kScale);
    p += dot(p, p.yzx + 19.19f);
    return fraction2((p.xx + p.yz) * p.zy);
}
float3 hash3(float3 cell) {
    float3 p = fraction3(cell * kScale);
    p += dot(p, p.yxz + 19.19f);
    return fraction3((p.xxy + p.yxx) * p.zyx);
}

// The least distance to the points of the cells around.
float voronoi2(float2 at) {
    const float2 cell = floor(at), place = at - cell;
    float least = MAXFLOAT;
    for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x) {
            const float2 next = (float2)(x, y);
            const float2 way = hash2(cell + next + 1.0f) * 0.75f + next - place;
            least = fmin(least, dot(way, way));
        }
    return least;
}
float voronoi3(float3 at) {
    const float3 cell = floor(at), place = at - cell;
    float least = MAXFLOAT;
    for (int z = -1; z <= 1; ++z)
        for (int y = -1; y <= 1; ++y)
            for (int x = -1; x <= 1; ++x) {
                const float3 next = (float3)(x, y, z);
                const float3 way = hash3(cell + next + 1.0f) * 0.75f + next - place;
                least = fmin(least, dot(way, way));
            }
    return least;
}
// The mean of numbers of the cells around, by distance. The published shader has a constant of 1
// here, and a power of 1 then; whether a compiler leaves the power out is the compiler's affair.
constant float kSmoothness = 1.0f;
float smooth3(float3 at) {
    const float3 cell = floor(at), place = at - cell;
    const float power = 1.0f + 63.0f * native_powr(1.0f - kSmoothness, 6.0f);
    float sum = 0, weights = 0;
    for (int z = -2; z <= 2; ++z)
        for (int y = -2; y <= 2; ++y)
            for (int x = -2; x <= 2; ++x) {
                const float3 next = (float3)(x, y, z);
                const float3 number =
                    (hash3(cell + next) * 2.0f - 1.0f) * (float3)(0.5f, 0.5f, 1.0f);
                const float3 way = next - place + number;
                const float share = clamp(native_sqrt(dot(way, way)) * (1 / 1.414f), 0.0f, 1.0f);
                const float weight =
                    native_powr(1.0f - share * share * (3.0f - 2.0f * share), power);
                sum += number.z * weight;
                weights += weight;
            }
    return native_divide(sum, weights);
}

// The picture is `size` pixels, of which some rows are made.
#define NOISE(name, value)                                                                 \
    __attribute__((intel_reqd_sub_group_size(16)))                                         \
    kernel void name(write_only image2d_t image, float2 size) {                            \
        const int2 pixel = (int2)(get_global_id(0), get_global_id(1));                     \
        const float3 at =                                                                  \
            (float3)((convert_float2(pixel) + 0.5f) * (2.0f / size) - 1.0f, 0.0f) * 10.0f; \
        write_imagef(image, pixel, (float4)(value));                                       \
    }
NOISE(noise_voronoi2, voronoi2(at.xy))
NOISE(noise_voronoi3, voronoi3(at))
NOISE(noise_smooth3, smooth3(at * 2.0f))

kernel void paint(write_only image2d_t image) {
    write_imagef(image, (int2)(get_global_id(0), get_global_id(1)), (float4)(0));
}
