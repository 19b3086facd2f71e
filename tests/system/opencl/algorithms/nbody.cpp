// SPDX-License-Identifier: Apache-2.0
// n-body step and a kernel of elementary functions, against double precision on the host.
#include "../opencl_program.h"

int main() {
    constexpr int kCount = 256;
    constexpr float kStep = 0.01f;
    Numbers numbers(5);
    std::vector<cl_float4> position(kCount), velocity(kCount);
    for (auto& p : position)
        for (int k = 0; k < 4; ++k)
            p.s[k] = numbers.unit() * 2 - (k < 3 ? 1.0f : 0.0f);
    for (auto& v : velocity)
        for (int k = 0; k < 4; ++k)
            v.s[k] = k < 3 ? numbers.unit() - 0.5f : 0.0f;
    OpenClProgram program("nbody.cl");
    const cl_mem p = program.buffer(position), v = program.buffer(velocity),
                 new_p = program.buffer(position), new_v = program.buffer(velocity),
                 functions = program.buffer(std::vector<float>(4 * kCount));
    const cl_kernel step = program.kernel("nbody");
    program.arguments(step, p, v, new_p, new_v, kCount, kStep);
    program.run(step, {kCount}, {64});
    const cl_kernel energy = program.kernel("energy");
    program.arguments(energy, new_v, functions);
    program.run(energy, {kCount});
    const auto found_v = program.read<cl_float4>(new_v, kCount);
    const auto found_p = program.read<cl_float4>(new_p, kCount);
    const auto found_f = program.read<float>(functions, 4 * kCount);
    Verdict verdict;
    for (int i = 0; i < kCount; ++i) {
        double pull[3] = {};
        for (int j = 0; j < kCount; ++j) {
            double d[3], square = 0.01;
            for (int k = 0; k < 3; ++k) {
                d[k] = double{position[j].s[k]} - position[i].s[k];
                square += d[k] * d[k];
            }
            const double r = 1 / std::sqrt(square);
            for (int k = 0; k < 3; ++k)
                pull[k] += d[k] * position[j].s[3] * r * r * r;
        }
        double speed = 0;
        for (int k = 0; k < 3; ++k) {
            const double expected = velocity[i].s[k] + pull[k] * kStep;
            speed += expected * expected;
            verdict.close(found_v[i].s[k], expected, 1e-4, static_cast<std::size_t>(i), "velocity");
            verdict.close(found_p[i].s[k], position[i].s[k] + expected * kStep, 1e-4,
                          static_cast<std::size_t>(i), "position");
        }
        verdict.close(found_v[i].s[3], std::sqrt(speed), 1e-4, static_cast<std::size_t>(i),
                      "speed");
        const double s = found_v[i].s[3];
        verdict.close(found_f[4 * i + 0], std::exp(-s) + std::log(1 + s), 1e-5,
                      static_cast<std::size_t>(i), "exp, log");
        verdict.close(found_f[4 * i + 1], std::sin(s) * std::cos(s), 1e-5,
                      static_cast<std::size_t>(i), "sin, cos");
        verdict.close(found_f[4 * i + 2], std::pow(s + 1, 1.5), 1e-5, static_cast<std::size_t>(i),
                      "pow");
        verdict.close(found_f[4 * i + 3], std::sqrt(s) / (1 + s), 1e-5, static_cast<std::size_t>(i),
                      "sqrt, divide");
    }
    return verdict.finish("nbody");
}
