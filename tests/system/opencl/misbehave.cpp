// SPDX-License-Identifier: Apache-2.0
// What programs do wrong: misbehave unmapped | endless
#include <cstring>

#include "opencl_program.h"

int main(int argc, char** argv) {
    const std::string what = argc > 1 ? argv[1] : "";
    if (what != "unmapped" && what != "endless")
        OpenClProgram::fail("usage: misbehave unmapped|endless");
    OpenClProgram program("misbehave.cl");
    const cl_mem out = program.buffer(std::vector<cl_uint>(64));
    const cl_kernel kernel = program.kernel(what.c_str());
    if (what == "unmapped")
        program.arguments(kernel, out, cl_ulong{0x7ABCDE000000});
    else
        program.arguments(kernel, out);
    program.run(kernel, {64});
    // An access nobody answers for reads as zero.
    Verdict verdict;
    for (cl_uint value : program.read<cl_uint>(out, 64))
        verdict.equal(value, cl_uint{1}, 0);
    return verdict.finish("misbehave");
}
