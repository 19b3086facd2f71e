// SPDX-License-Identifier: Apache-2.0
// Private arrays of every width, spilled registers, and printf.
#include <unistd.h>

#include <algorithm>

#include "../opencl_program.h"

namespace {

constexpr std::size_t kItems = 256;

template <class T>
void private_arrays(OpenClProgram& program, const char* name, const std::vector<cl_uint>& values,
                    Verdict& verdict) {
    const cl_mem in = program.buffer(values), out = program.buffer(std::vector<cl_uint>(kItems));
    const cl_kernel kernel = program.kernel(name);
    program.arguments(kernel, in, out);
    program.run(kernel, {kItems}, {32});
    const auto found = program.read<cl_uint>(out, kItems);
    for (cl_uint item = 0; item < kItems; ++item) {
        T cells[64];
        for (cl_uint i = 0; i < 64; ++i)
            cells[i] = static_cast<T>(i * 3 + item);
        for (cl_uint i = 0; i < 64; ++i) {
            const cl_uint to = values[(item + i) % 256] % 64;
            cells[to] = static_cast<T>(cells[(to * 7 + i) % 64] + static_cast<T>(i));
        }
        cl_uint sum = 0;
        for (const T cell : cells)
            sum = sum * 31 + static_cast<cl_uint>(cell);
        verdict.equal(found[item], sum, item, name);
    }
}

cl_uint rotate(cl_uint value, unsigned by) {
    return value << by | value >> (32 - by);
}

void spilled(OpenClProgram& program, const char* name, const std::vector<cl_uint>& values,
             Verdict& verdict) {
    const cl_mem in = program.buffer(values), out = program.buffer(std::vector<cl_uint>(kItems));
    const cl_kernel kernel = program.kernel(name);
    program.arguments(kernel, in, out);
    program.run(kernel, {kItems}, {32});
    const auto found = program.read<cl_uint>(out, kItems);
    for (cl_uint item = 0; item < kItems; ++item) {
        cl_uint v[12][16], sum[16] = {};
        for (cl_uint i = 0; i < 12; ++i)
            for (cl_uint n = 0; n < 16; ++n) {
                v[i][n] = values[(item * 3 + i * 16) % 240 + n];
                v[i][n] *= v[i][n] + i;
            }
        for (cl_uint i = 0; i < 12; ++i)
            for (cl_uint n = 0; n < 16; ++n)
                sum[n] = rotate(sum[n] + (v[i][n] ^ v[(i * 5 + 3) % 12][(n + 1) % 16]), i + 1);
        cl_uint four[4];
        for (cl_uint n = 0; n < 4; ++n)
            four[n] = sum[n] + sum[n + 8] + sum[n + 4] + sum[n + 12];
        verdict.equal(found[item], four[0] + four[1] * 3 + four[2] * 5 + four[3] * 7, item, name);
    }
}

/// What a function writes to standard output.
template <class Function>
std::string printed_by(Function function) {
    std::fflush(stdout);
    std::FILE* file = std::tmpfile();
    const int kept = dup(STDOUT_FILENO);
    dup2(fileno(file), STDOUT_FILENO);
    function();
    std::fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    std::string text(static_cast<std::size_t>(lseek(fileno(file), 0, SEEK_END)), '\0');
    std::rewind(file);
    text.resize(std::fread(text.data(), 1, text.size(), file));
    std::fclose(file);
    return text;
}

void says(OpenClProgram& program, const std::vector<cl_uint>& values, Verdict& verdict) {
    const cl_mem in = program.buffer(values);
    const cl_kernel kernel = program.kernel("says");
    program.arguments(kernel, in);
    std::istringstream text(printed_by([&] { program.run(kernel, {kItems}, {32}); }));
    std::vector<std::string> lines, expected;
    for (std::string line; std::getline(text, line);)
        lines.push_back(line);
    for (cl_uint item = 3; item < kItems; item += 8) {
        char line[200];
        std::snprintf(line, sizeof line, "item %u of group %u holds %u, half is %.2f", item,
                      item / 32, values[item],
                      static_cast<double>(static_cast<float>(values[item]) / 2.0f));
        expected.push_back(line);
    }
    std::sort(lines.begin(), lines.end());
    std::sort(expected.begin(), expected.end());
    verdict.equal(lines.size(), expected.size(), 0, "lines printed");
    verdict.equal(lines == expected, true, 0, "what was printed");
}

void says_kinds(OpenClProgram& program, const std::vector<cl_uint>& values, Verdict& verdict) {
    const cl_mem in = program.buffer(values);
    const cl_kernel kernel = program.kernel("says_kinds");
    program.arguments(kernel, in);
    // Lines of different items may stand in any order, each by itself.
    std::istringstream text(printed_by([&] { program.run(kernel, {kItems}, {32}); }));
    std::vector<std::string> lines, expected;
    for (std::string line; std::getline(text, line);)
        lines.push_back(line);
    for (cl_uint item = 5; item < kItems; item += 64) {
        const cl_uint n = values[item];
        const int i = static_cast<int>(n);
        char line[300];
        std::snprintf(line, sizeof line, "%d %u %ld %lu %hd %hhu %c %x %X %o", i - 5000, n,
                      i * -1000000007L, static_cast<unsigned long>(n) << 40, static_cast<short>(n),
                      static_cast<unsigned char>(n), static_cast<char>('a' + n % 26), n, n * 77, n);
        expected.push_back(line);
        std::snprintf(line, sizeof line, "1,-2,%d,4|%f,0.250000|7,8,9", i, static_cast<double>(n));
        expected.push_back(line);
        std::snprintf(line, sizeof line, "%.3f %e %g %10.2f|%-8d|%+d|%08x|%%|%s", n / 8.0, n * 1e10,
                      n * 0.5, -static_cast<double>(n), i, i, n, "end");
        expected.push_back(line);
    }
    std::sort(lines.begin(), lines.end());
    std::sort(expected.begin(), expected.end());
    verdict.equal(lines.size(), expected.size(), 0, "lines of all kinds");
    for (std::size_t i = 0; i < lines.size() && i < expected.size(); ++i) {
        verdict.equal(lines[i] == expected[i], true, i, "printed kinds");
        if (lines[i] != expected[i])
            std::fprintf(stderr, "  found    %s\n  expected %s\n", lines[i].c_str(),
                         expected[i].c_str());
    }
}

}  // namespace

int main() {
    Verdict verdict;
    Numbers numbers(5);
    std::vector<cl_uint> values(kItems);
    for (cl_uint& value : values)
        value = numbers.below(10000);
    for (const char* options : {"", "-cl-intel-greater-than-4GB-buffer-required"}) {
        OpenClProgram program("scratch.cl", options);
        private_arrays<cl_uchar>(program, "private_uchar", values, verdict);
        private_arrays<cl_ushort>(program, "private_ushort", values, verdict);
        private_arrays<cl_uint>(program, "private_uint", values, verdict);
        private_arrays<cl_ulong>(program, "private_ulong", values, verdict);
        for (const char* name : {"spilled8", "spilled16", "spilled32"})
            spilled(program, name, values, verdict);
        says(program, values, verdict);
        says_kinds(program, values, verdict);
    }
    return verdict.finish("scratch");
}
