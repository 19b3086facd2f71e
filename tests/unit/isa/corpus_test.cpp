// SPDX-License-Identifier: Apache-2.0
// Real kernels: what the OpenCL compiler emits for tests/golden/isa/kernels must read the same here
// and in the public assembler, and survive decoding and encoding.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <ostream>
#include <tuple>

#include "isa/format/compaction.h"
#include "isa/format/decode.h"
#include "isa/format/encode.h"
#include "isa/opcodes.h"
#include "isa/registers.h"
#include "isa/rules/rules.h"
#include "isa/text/disassemble.h"
#include "tests/support/covers.h"
#include "tests/support/sample.h"
#include "tests/unit/isa/iga.h"
#include "tests/unit/isa/registers_in_text.h"

namespace gen9::isa::test {
namespace {

namespace fs = std::filesystem;

/// Files by name: kernels of this test and those of the OpenCL programs. Of two with one name, the
/// test's.
const std::map<std::string, std::string>& sources() {
    static const std::map<std::string, std::string> all = [] {
        std::map<std::string, std::string> found;
        for (const char* folder : {GEN9_ISA_CORPUS, GEN9_OPENCL_PROGRAMS})
            for (const auto& entry : fs::recursive_directory_iterator(folder))
                if (entry.path().extension() == ".cl")
                    found.emplace(entry.path().stem().string(), entry.path().string());
        return found;
    }();
    return all;
}
std::vector<std::string> corpus() {
    std::vector<std::string> names;
    for (const auto& [name, file] : sources())
        names.push_back(name);
    return names;
}
std::string source_of(const std::string& name) {
    return sources().at(name);
}

/// Ways to compile: each brings instructions the others do not.
struct Way {
    const char* name;
    const char* options;
};
void PrintTo(const Way& way, std::ostream* out) {
    *out << way.name;
}
constexpr Way kWays[] = {
    {"Optimised", ""},
    {"Plain", "-cl-opt-disable"},
    {"FastLarge", "-cl-fast-relaxed-math -cl-intel-greater-than-4GB-buffer-required"},
};

/// Each source compiled in each way.
std::vector<std::tuple<std::string, Way>> every_way(const std::vector<std::string>& names) {
    std::vector<std::tuple<std::string, Way>> all;
    for (std::size_t n = 0; n < names.size(); ++n)
        for (std::size_t way = 0; way < std::size(kWays); ++way)
            all.emplace_back(names[n], kWays[(n + way) % std::size(kWays)]);
    return all;
}

/// A compilation takes up to a second: a sixth of them have their turn in a run.
template <class Value>
std::vector<Value> in_turn(const std::vector<Value>& all) {
    std::vector<Value> chosen;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (gen9::test::has_its_turn(i, 6)) chosen.push_back(all[i]);
    return chosen;
}

std::vector<fs::path> files_ending(const std::string& folder, const char* end) {
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().filename().string().ends_with(end)) paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    return paths;
}

/// Compiles a source in a directory, with settings of the environment before the command.
bool compile(const std::string& name, const std::string& options, const std::string& settings,
             const TemporaryDirectory& directory) {
    return run("cd " + directory.path() + " && " + settings + " " + GEN9_OCLOC + " compile -file " +
               source_of(name) + " -device skl -output " + name + " -options '" + options +
               "' > log 2>&1") == 0;
}

/// Instruction heaps of every kernel of one source file.
std::vector<fs::path> compiled(const std::string& name, const Way& way,
                               const TemporaryDirectory& directory) {
    if (!compile(name, std::string("-cl-std=CL3.0 ") + way.options, "", directory)) return {};
    const std::string dump = "cd " + directory.path() + " && " + GEN9_OCLOC + " disasm -file " +
                             name + "_Gen9core.bin -device skl -dump dump > log 2>&1";
    if (run(dump) != 0) return {};
    return files_ending(directory.path() + "/dump", "_KernelHeap.dat");
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

/// Decoding and encoding give the compiler's bytes back: native ones, and compact ones through the
/// compact form of what they expand to.
void check_round_trip(std::span<const std::uint8_t> kernel, const std::string& name) {
    for (std::size_t pc = 0; pc + 16 <= kernel.size();) {
        const DecodeResult result = decode(kernel.subspan(pc));
        ASSERT_TRUE(result.ok) << name << " at " << pc << ": " << result.why;
        const Encoding encoded = encode_word(result.instruction);
        const std::string text = disassemble(result.instruction, static_cast<std::uint32_t>(pc));
        if (result.instruction.compacted) {
            const auto again = compacted(encoded.word, info(result.instruction.opcode));
            ASSERT_TRUE(again.has_value()) << name << " at " << pc << ": " << text;
            ASSERT_EQ(*again, load<std::uint64_t>(kernel.data() + pc))
                << name << " at " << pc << ": " << text;
        } else {
            // The compiler fills the source a call does not read otherwise than the assembler.
            const bool call = info(result.instruction.opcode).format == Format::Call;
            const NativeWord unread = call ? encoded.filled : NativeWord{};
            const auto original = NativeWord::from_bytes(kernel.subspan(pc).first<16>());
            ASSERT_EQ((encoded.word ^ original) & ~unread, NativeWord{})
                << name << " at " << pc << ": " << text;
        }
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

/// The registers that the kernel names are those in the assembler's text.
void check_registers(std::span<const std::uint8_t> kernel, const std::string& name,
                     const TemporaryDirectory& directory) {
    const auto ours =
        registers_of_program(0, [&](std::uint32_t at, std::span<std::uint8_t, 16> bytes) {
            if (at + 16 > kernel.size()) return false;
            std::ranges::copy(kernel.subspan(at, 16), bytes.begin());
            return true;
        });
    const TextRegisters theirs = registers_in_text(iga_kernel(kernel, directory));
    EXPECT_GT(theirs.registers.count(), 3u) << name;
    EXPECT_EQ((theirs.registers & ~ours).to_string(), RegisterSet().to_string()) << name;
    // The model takes a call to write a register for all its channels (EU-282 has two DWords).
    EXPECT_LE(ours.count(), theirs.registers.count() + theirs.calls) << name;
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
        check_registers(kernel, heap.filename().string(), directory);
    }
}

#ifdef GEN9_GENX_IR
// The compiler's back end alone, from the text of its input: native forms only, unscheduled.
class BackEnd : public testing::TestWithParam<std::string> {};

TEST_P(BackEnd, ReadsAsInTheAssemblerAndSurvivesTheRoundTrip) {
    GEN9_COVERS("EU-298 EU-299 EU-300 EU-301 EU-302 EU-304");
    const TemporaryDirectory directory;
    const std::string dump = directory.path() + "/dump";
    ASSERT_TRUE(compile(GetParam(), "-cl-std=CL3.0",
                        "IGC_ShaderDumpEnable=1 IGC_DumpToCustomDir=" + dump, directory))
        << read_file(directory.path() + "/log");
    auto texts = files_ending(dump, ".visaasm");
    // What inline assembly becomes is not a text that the back end reads by itself.
    std::erase_if(texts, [](const fs::path& text) {
        return text.filename().string().ends_with(".inline.visaasm");
    });
    if (texts.empty()) GTEST_SKIP() << "the compiler has written no intermediate text to read";
    std::size_t compared = 0;
    for (const fs::path& text : texts) {
        run("cd " + dump + " && " + GEN9_GENX_IR + " " + text.string() +
            " -platform SKL -binary -noschedule -nocompaction > log 2>&1");
        // A kernel too large for its registers at this width is written all the same, or refused
        // where the compiler would take the narrower one.
        const fs::path binary = fs::path(text).replace_extension(".dat");
        if (!fs::exists(binary)) {
            ASSERT_NE(read_file(dump + "/log").find("Spill memory"), std::string::npos);
            continue;
        }
        const auto kernel = bytes_of(binary);
        compare_text(kernel, text.filename().string(), directory);
        check_round_trip(kernel, text.filename().string());
        ++compared;
    }
    EXPECT_GT(compared, 0U);
}

INSTANTIATE_TEST_SUITE_P(Kernels, BackEnd, testing::ValuesIn(in_turn(corpus())),
                         [](const auto& info) { return info.param; });
#endif

INSTANTIATE_TEST_SUITE_P(Kernels, Corpus, testing::ValuesIn(in_turn(every_way(corpus()))),
                         [](const auto& info) {
                             return std::get<0>(info.param) + "_" + std::get<1>(info.param).name;
                         });

}  // namespace
}  // namespace gen9::isa::test
