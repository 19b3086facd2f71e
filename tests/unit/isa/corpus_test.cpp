// SPDX-License-Identifier: Apache-2.0
// Real kernels: what the OpenCL compiler emits for tests/golden/isa/kernels must read the same here
// and in the public assembler, and survive decoding and encoding.
#include <gtest/gtest.h>

#include <filesystem>
#include <ostream>
#include <tuple>

#include "isa/decode.h"
#include "isa/disassemble.h"
#include "isa/encode.h"
#include "isa/rules.h"
#include "tests/support/covers.h"
#include "tests/unit/isa/iga.h"

namespace gen9::isa::test {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> corpus() {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(GEN9_ISA_CORPUS))
        names.push_back(entry.path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

/// Ways to compile: each brings instructions the other does not.
struct Way {
    const char* name;
    const char* options;
};
void PrintTo(const Way& way, std::ostream* out) {
    *out << way.name;
}
constexpr Way kWays[] = {{"Optimised", ""}, {"Plain", "-cl-opt-disable"}};

/// Instruction heaps of every kernel of one source file.
std::vector<fs::path> compiled(const std::string& name, const Way& way,
                               const TemporaryDirectory& directory) {
    const std::string at = "cd " + directory.path() + " && " + GEN9_OCLOC;
    const std::string quiet = " > log 2>&1";
    const std::string source = std::string(GEN9_ISA_CORPUS) + "/" + name + ".cl";
    const std::string options = *way.options == '\0' ? "" : std::string(" -options ") + way.options;
    std::vector<fs::path> heaps;
    if (run(at + " compile -file " + source + " -device skl -output " + name + options + quiet) !=
        0)
        return heaps;
    if (run(at + " disasm -file " + name + "_Gen9core.bin -device skl -dump dump" + quiet) != 0)
        return heaps;
    for (const auto& entry : fs::directory_iterator(directory.path() + "/dump")) {
        if (entry.path().filename().string().ends_with("_KernelHeap.dat"))
            heaps.push_back(entry.path());
    }
    return heaps;
}

std::vector<std::uint8_t> bytes_of(const fs::path& path) {
    const std::string content = read_file(path.string());
    return {content.begin(), content.end()};
}

void compare_text(std::span<const std::uint8_t> kernel, const std::string& name,
                  const TemporaryDirectory& directory) {
    const auto theirs = iga_kernel(kernel, directory);
    const auto ours = lines_of(disassemble_kernel(kernel));
    ASSERT_GT(theirs.size(), 4U) << name;
    ASSERT_EQ(ours.size(), theirs.size()) << name;
    for (std::size_t i = 0; i < ours.size(); ++i)
        ASSERT_EQ(normalised(ours[i]), theirs[i]) << name << " line " << i;
}

void check_round_trip(std::span<const std::uint8_t> kernel, const std::string& name) {
    for (std::size_t pc = 0; pc + 16 <= kernel.size();) {
        const DecodeResult result = decode(kernel.subspan(pc));
        ASSERT_TRUE(result.ok) << name << " at " << pc << ": " << result.why;
        const Encoding encoded = encode_word(result.instruction);
        if (!result.instruction.compacted) {
            const NativeWord original = NativeWord::from_bytes(kernel.subspan(pc).first<16>());
            ASSERT_EQ((original ^ encoded.word) & encoded.significant, NativeWord{})
                << name << " at " << pc;
            ASSERT_EQ(original & encoded.reserved(), NativeWord{}) << name << " at " << pc;
        }
        Instruction native = result.instruction;
        native.compacted = false;
        native.length_bytes = 16;
        ASSERT_EQ(decode(encoded.word.to_bytes()).instruction, native) << name << " at " << pc;
        pc += result.instruction.length_bytes;
    }
}

/// Compilers keep the rules: what is reported of a program is the program's fault.
void check_rules(std::span<const std::uint8_t> kernel, const std::string& name) {
    for (std::size_t pc = 0; pc + 16 <= kernel.size();) {
        const Instruction in = decode(kernel.subspan(pc)).instruction;
        for (const BrokenRule& rule : broken_rules(in))
            ADD_FAILURE() << name << " at " << pc << ": " << disassemble(in, pc) << ": " << rule.id;
        pc += in.length_bytes;
    }
}

class Corpus : public testing::TestWithParam<std::tuple<std::string, Way>> {};

TEST_P(Corpus, ReadsAsInTheAssemblerAndSurvivesTheRoundTrip) {
    GEN9_COVERS("EU-269 EU-298 EU-299 EU-300 EU-301 EU-302 EU-304 EU-184 EU-185");
    const TemporaryDirectory directory;
    const auto heaps = compiled(std::get<0>(GetParam()), std::get<1>(GetParam()), directory);
    ASSERT_FALSE(heaps.empty()) << read_file(directory.path() + "/log");
    for (const fs::path& heap : heaps) {
        const auto kernel = bytes_of(heap);
        compare_text(kernel, heap.filename().string(), directory);
        check_round_trip(kernel, heap.filename().string());
        check_rules(kernel, heap.filename().string());
    }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Corpus,
                         testing::Combine(testing::ValuesIn(corpus()), testing::ValuesIn(kWays)),
                         [](const auto& info) {
                             return std::get<0>(info.param) + "_" + std::get<1>(info.param).name;
                         });

}  // namespace
}  // namespace gen9::isa::test
