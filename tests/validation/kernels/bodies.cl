// SPDX-License-Identifier: Apache-2.0
// W-2: all pairs of bodies, read one by one from an array of structures; then the energies summed
// by a single work-item.
typedef struct {
    float place[3], speed[3], pull[3], mass;
} Body;

kernel void attract(global Body* body, int count) {
    const int i = get_global_id(0);
    const float x = body[i].place[0], y = body[i].place[1], z = body[i].place[2];
    float ax = 0, ay = 0, az = 0;
    for (int j = 0; j < count; ++j) {
        const float dx = body[j].place[0] - x, dy = body[j].place[1] - y,
                    dz = body[j].place[2] - z;
        const float inverse = 1.0f / sqrt(dx * dx + dy * dy + dz * dz + 1e-3f);
        const float pull = 6.67259e-11f * body[j].mass * inverse * inverse * inverse;
        ax += dx * pull;
        ay += dy * pull;
        az += dz * pull;
    }
    body[i].pull[0] = ax;
    body[i].pull[1] = ay;
    body[i].pull[2] = az;
}
kernel void total(global const float* energy, global float* sum, int count) {
    float all = 0;
    for (int i = 0; i < count; ++i) all += energy[i];
    sum[0] = all;
}
