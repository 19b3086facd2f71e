// SPDX-License-Identifier: Apache-2.0
// W-2: all pairs of bodies, read one by one from an array of structures; then the energies summed
// by a single work-item. As published, the factors of a pull are multiplied for each axis, from the
// left: without leave to change the order the compiler finds no product that the axes share.
typedef struct {
    float place[3], speed[3], pull[3], mass;
} Body;

kernel void attract(global Body* body, int count) {
    const int i = get_global_id(0);
    const float x = body[i].place[0], y = body[i].place[1], z = body[i].place[2];
    float ax = body[i].pull[0], ay = body[i].pull[1], az = body[i].pull[2];
    for (int j = 0; j < count; ++j) {
        const float dx = body[j].place[0] - x, dy = body[j].place[1] - y,
                    dz = body[j].place[2] - z;
        const float inverse = 1.0f / sqrt(dx * dx + dy * dy + dz * dz + 1e-3f);
        ax += dx * 6.67259e-11f * body[j].mass * inverse * inverse * inverse;
        ay += dy * 6.67259e-11f * body[j].mass * inverse * inverse * inverse;
        az += dz * 6.67259e-11f * body[j].mass * inverse * inverse * inverse;
    }
    body[i].pull[0] = ax;
    body[i].pull[1] = ay;
    body[i].pull[2] = az;
}
kernel void total(global float* energy, int count) {
    for (int i = 1; i < count; ++i) energy[0] += energy[i];
}
