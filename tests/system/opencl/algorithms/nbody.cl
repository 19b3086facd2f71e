// SPDX-License-Identifier: Apache-2.0
// One step of n bodies under gravity with softening; position in xyz, mass in w.
kernel void nbody(global const float4* position, global const float4* velocity, global float4* new_position,
                  global float4* new_velocity, int count, float step) {
    const int i = get_global_id(0);
    const float4 p = position[i];
    float3 pull = (float3)(0.0f);
    for (int j = 0; j < count; ++j) {
        const float3 d = position[j].xyz - p.xyz;
        const float r = rsqrt(dot(d, d) + 0.01f);
        pull += d * (position[j].w * r * r * r);
    }
    const float3 v = velocity[i].xyz + pull * step;
    new_velocity[i] = (float4)(v, length(v));
    new_position[i] = (float4)(p.xyz + v * step, p.w);
}
kernel void energy(global const float4* velocity, global float* out) {
    const int i = get_global_id(0);
    const float s = velocity[i].w;
    out[4 * i + 0] = exp(-s) + log(1.0f + s);
    out[4 * i + 1] = sin(s) * cos(s);
    out[4 * i + 2] = pow(s + 1.0f, 1.5f);
    out[4 * i + 3] = sqrt(s) / (1.0f + s);
}
