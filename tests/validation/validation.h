// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "../system/opencl/opencl_program.h"

/// A program whose time was measured on silicon, as one measurement or several. A launch that is
/// meant is printed as `measured LABEL LAUNCH AMOUNT`, where LAUNCH is its number and AMOUNT what
/// it did; scripts/validate finds its cycles in the model's statistics.
class Measured {
  public:
    explicit Measured(const char* kernels, const char* options = "") : program(kernels, options) {}

    using Range = std::vector<std::size_t>;
    template <class... Arguments>
    void launch(const char* kernel, const Range& global, const Range& local,
                const Arguments&... values) {
        const cl_kernel made = program.kernel(kernel);
        program.arguments(made, values...);
        program.run(made, global, local);
        ++launches_;
    }
    /// The last launch is meant.
    void report(const char* label, double amount) const {
        std::printf("measured %s %zu %.0f\n", label, launches_ - 1, amount);
    }
    cl_mem floats(std::size_t count, float value = 1.0f) {
        return program.buffer(std::vector<float>(count, value));
    }

    /// Memory that nobody has written.
    cl_mem room(std::size_t bytes) {
        cl_int error;
        rooms_.push_back(
            clCreateBuffer(program.context(), CL_MEM_READ_WRITE, bytes, nullptr, &error));
        OpenClProgram::check(error, "clCreateBuffer");
        return rooms_.back();
    }
    ~Measured() {
        for (const cl_mem one : rooms_)
            clReleaseMemObject(one);
    }
    Measured(const Measured&) = delete;
    Measured& operator=(const Measured&) = delete;

    OpenClProgram program;

  private:
    std::vector<cl_mem> rooms_;
    std::size_t launches_ = 0;
};

/// Sizes from the command line.
using Sizes = std::vector<std::size_t>;
void coulomb(const Sizes&);
void bodies(const Sizes&);
void md5(const Sizes&);
void blake2b(const Sizes&);
void arithmetic(const Sizes&);
void blowfish(const Sizes&);
void blocked(const Sizes&);
void lu(const Sizes&);
void by_rows(const Sizes&);
void by_columns(const Sizes&);
void bitonic(const Sizes&);
void atomics(const Sizes&);
void updates(const Sizes&);
void arrays(const Sizes&);
void wave(const Sizes&);
void lookups(const Sizes&);
void copies(const Sizes&);
