// SPDX-License-Identifier: Apache-2.0
// What programs do wrong, and a kernel that only takes long:
//   misbehave unmapped | endless | barrier_missed | long_loop N | inherited
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "../opencl_program.h"

namespace {

/// What long_loop leaves: every item walks the same way through the table.
cl_uint walked(const std::vector<cl_uint>& table, cl_uint n) {
    cl_uint s = 0;
    for (cl_uint i = 0; i < n; ++i)
        s += table[(s + i) & 1023];
    return s;
}

int long_loop(OpenClProgram& program, cl_uint n) {
    constexpr cl_uint kItems = 16;
    std::vector<cl_uint> table(1024 + kItems);
    for (cl_uint i = 0; i < 1024; ++i)
        table[i] = i * 2654435761u;
    const cl_mem out = program.buffer(table);
    const cl_kernel kernel = program.kernel("long_loop");
    program.arguments(kernel, out, n);
    program.run(kernel, {kItems}, {kItems});
    const auto left = program.read<cl_uint>(out, table.size());
    Verdict verdict;
    for (cl_uint item = 0; item < kItems; ++item)
        verdict.equal(left[1024 + item], walked(table, n), item);
    return verdict.finish("misbehave");
}

/// A forked child uses what its parent made. It does not wait for ever; what the driver makes of it
/// is the driver's affair.
int inherited(OpenClProgram& program) {
    long_loop(program, 1);
    const pid_t child = fork();
    if (child == 0) {
        alarm(60);
        const cl_mem out = program.buffer(std::vector<cl_uint>(2048));
        const cl_kernel kernel = program.kernel("long_loop");
        program.arguments(kernel, out, cl_uint{1});
        const std::size_t items = 16;
        cl_uint value = 0;
        clEnqueueNDRangeKernel(program.queue(), kernel, 1, nullptr, &items, nullptr, 0, nullptr,
                               nullptr);
        clEnqueueReadBuffer(program.queue(), out, CL_TRUE, 0, sizeof value, &value, 0, nullptr,
                            nullptr);
        _exit(5);
    }
    int status = 0;
    waitpid(child, &status, 0);
    Verdict verdict;
    verdict.equal(WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), 5, 0, "the child");
    return verdict.finish("misbehave") | long_loop(program, 1);
}

}  // namespace

int main(int argc, char** argv) {
    const std::string what = argc > 1 ? argv[1] : "";
    if (what != "unmapped" && what != "endless" && what != "barrier_missed" &&
        what != "inherited" && !(what == "long_loop" && argc > 2))
        OpenClProgram::fail(
            "usage: misbehave unmapped|endless|barrier_missed|inherited|long_loop N");
    OpenClProgram program("misbehave.cl");
    if (what == "long_loop")
        return long_loop(program, static_cast<cl_uint>(std::strtoul(argv[2], nullptr, 0)));
    if (what == "inherited") return inherited(program);
    const cl_mem out = program.buffer(std::vector<cl_uint>(4096));
    const cl_kernel kernel = program.kernel(what.c_str());
    if (what == "unmapped")
        program.arguments(kernel, out, cl_ulong{0x7ABCDE000000});
    else
        program.arguments(kernel, out);
    if (what == "barrier_missed")
        program.run(kernel, {4096}, {128});
    else
        program.run(kernel, {64});
    // An access nobody answers for reads as zero.
    Verdict verdict;
    for (cl_uint value : program.read<cl_uint>(out, 64))
        verdict.equal(value, cl_uint{1}, 0);
    return verdict.finish("misbehave");
}
