// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/mman.h>

#include <algorithm>
#include <string>
#include <vector>

#include "../system/opencl/opencl_program.h"

/// Local memory, an argument of a kernel.
struct Local {
    std::size_t bytes;
};

/// A program whose time was measured on silicon, as one measurement or several. A launch that is
/// meant is printed as `measured LABEL LAUNCH AMOUNT`, where LAUNCH is its number and AMOUNT what
/// it did; scripts/validate finds its cycles in the model's statistics.
class Measured {
  public:
    explicit Measured(const char* kernels, const std::string& options = "")
        : program(kernels, (options + more_options).c_str()) {}
    inline static std::string more_options;  ///< of the command line, for the kernels' compiler

    using Range = std::vector<std::size_t>;
    template <class... Arguments>
    void launch(const char* kernel, const Range& global, const Range& local,
                const Arguments&... values) {
        const cl_kernel made = program.kernel(kernel);
        cl_uint index = 0;
        (OpenClProgram::check(set(made, index++, values), "clSetKernelArg"), ...);
        program.run(made, global, local);
        ++launches_;
    }
    /// The last launch is meant; launches of a label are added up.
    void report(const char* label, double amount) const {
        std::printf("measured %s %zu %.0f\n", label, launches_ - 1, amount);
    }
    template <class T>
    cl_mem buffer(const std::vector<T>& contents) {
        const Memory memory = reserve(contents.size() * sizeof(T));
        std::copy(contents.begin(), contents.end(), static_cast<T*>(memory.place));
        return over(memory);
    }
    cl_mem floats(std::size_t count, float value = 1.0f) {
        return buffer(std::vector<float>(count, value));
    }
    /// Memory that nobody has written.
    cl_mem room(std::size_t bytes) { return over(reserve(bytes)); }

    ~Measured() {
        for (const cl_mem one : rooms_)
            clReleaseMemObject(one);
    }
    Measured(const Measured&) = delete;
    Measured& operator=(const Measured&) = delete;

    OpenClProgram program;

  private:
    template <class T>
    static cl_int set(cl_kernel kernel, cl_uint index, const T& value) {
        return clSetKernelArg(kernel, index, sizeof(T), &value);
    }
    static cl_int set(cl_kernel kernel, cl_uint index, const Local& local) {
        return clSetKernelArg(kernel, index, local.bytes, nullptr);
    }
    struct Memory {
        void* place;
        std::size_t size;
    };
    /// The driver gives a buffer the address that its memory has in the program, and times depend
    /// on it. So each is where it is on every system: a page behind the one before, as the memory
    /// of large vectors is.
    Memory reserve(std::size_t bytes) {
        constexpr std::size_t kPage = 4096;
        const std::size_t size = (bytes + kPage - 1) / kPage * kPage;
        void* const place = reinterpret_cast<void*>(next_);
        next_ += size + kPage;
        constexpr int kOwn = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
        if (mmap(place, size, PROT_READ | PROT_WRITE, kOwn | MAP_FIXED_NOREPLACE, -1, 0) != place)
            OpenClProgram::fail("the address of a buffer is not free");
        return {place, size};
    }
    cl_mem over(const Memory& memory) {
        cl_int error;
        rooms_.push_back(clCreateBuffer(program.context(), CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                                        memory.size, memory.place, &error));
        OpenClProgram::check(error, "clCreateBuffer");
        return rooms_.back();
    }

    std::vector<cl_mem> rooms_;
    std::uintptr_t next_ = std::uintptr_t{1} << 44;  ///< below what the kernel gives out
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
void rows(const Sizes&);
void bitonic(const Sizes&);
void atomics(const Sizes&);
void updates(const Sizes&);
void arrays(const Sizes&);
void wave(const Sizes&);
void lookups(const Sizes&);
void copies(const Sizes&);
void lattice(const Sizes&);
void lattice_custom(const Sizes&);
void changes(const Sizes&);
void textures(const Sizes&);
void changed_images(const Sizes&);
void halved_images(const Sizes&);
void chains(const Sizes&);
void faces(const Sizes&);
void noises(const Sizes&);
void resonances(const Sizes&);
void heat(const Sizes&);
void strings(const Sizes&);
void periods(const Sizes&);
void rings(const Sizes&);
void pool(const Sizes&);
void links(const Sizes&);
void keys(const Sizes&);
void strips(const Sizes&);
void flights(const Sizes&);
void softmax(const Sizes&);
void thomas(const Sizes&);
void curve(const Sizes&);
void loads_of_memory(const Sizes&);
void loads_of_texel_buffers(const Sizes&);
void loads_of_texels(const Sizes&);
