// SPDX-License-Identifier: Apache-2.0
// Real kernels: what the OpenCL compiler emits for tests/golden/isa/kernels must read the same here
// and in the public assembler, and survive decoding and encoding.
#include <gtest/gtest.h>

#include <filesystem>

#include "isa/decode.h"
#include "isa/disassemble.h"
#include "isa/encode.h"
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

/// Instruction heaps of every kernel of one source file.
std::vector<fs::path> compiled(const std::string& name, const TemporaryDirectory& directory) {
    const std::string at = "cd " + directory.path() + " && ";
    const std::string quiet = " > log 2>&1";
    const std::string source = std::string(GEN9_ISA_CORPUS) + "/" + name + ".cl";
    std::vector<fs::path> heaps;
    if (run(at + GEN9_OCLOC + " compile -file " + source + " -device skl -output " + name +
            quiet) != 0)
        return heaps;
    if (run(at + GEN9_OCLOC + " disasm -file " + name + "_Gen9core.bin -device skl -dump dump" +
            quiet) != 0)
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

class Corpus : public testing::TestWithParam<std::string> {};

TEST_P(Corpus, ReadsAsInTheAssembler) {
    GEN9_COVERS("EU-298 EU-299 EU-300 EU-301 EU-302 EU-269 EU-184 EU-185");
    const TemporaryDirectory directory;
    const auto heaps = compiled(GetParam(), directory);
    ASSERT_FALSE(heaps.empty()) << read_file(directory.path() + "/log");
    for (const fs::path& heap : heaps) {
        const auto bytes = bytes_of(heap);
        const auto theirs = iga_kernel(bytes, directory);
        const auto ours = lines_of(disassemble_kernel(bytes));
        ASSERT_GT(theirs.size(), 4U);
        ASSERT_EQ(ours.size(), theirs.size()) << heap.filename();
        for (std::size_t i = 0; i < ours.size(); ++i)
            ASSERT_EQ(normalised(ours[i]), theirs[i]) << heap.filename() << " line " << i;
    }
}

TEST_P(Corpus, SurvivesTheRoundTripToNativeBits) {
    GEN9_COVERS("EU-301 EU-302 EU-304");
    const TemporaryDirectory directory;
    for (const fs::path& heap : compiled(GetParam(), directory)) {
        const auto bytes = bytes_of(heap);
        for (std::size_t pc = 0; pc + 16 <= bytes.size();) {
            const DecodeResult result = decode(std::span(bytes).subspan(pc));
            ASSERT_TRUE(result.ok) << heap.filename() << " at " << pc << ": " << result.why;
            const Encoding encoded = encode_word(result.instruction);
            if (!result.instruction.compacted) {
                const NativeWord original =
                    NativeWord::from_bytes(std::span(bytes).subspan(pc).first<16>());
                ASSERT_EQ((original ^ encoded.word) & encoded.significant, NativeWord{})
                    << heap.filename() << " at " << pc;
                ASSERT_EQ(original & encoded.reserved(), NativeWord{})
                    << heap.filename() << " at " << pc;
            }
            Instruction native = result.instruction;
            native.compacted = false;
            native.length_bytes = 16;
            ASSERT_EQ(decode(encoded.word.to_bytes()).instruction, native)
                << heap.filename() << " at " << pc;
            pc += result.instruction.length_bytes;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Corpus, testing::ValuesIn(corpus()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace gen9::isa::test
