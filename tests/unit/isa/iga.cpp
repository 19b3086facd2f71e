// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/isa/iga.h"

#include <stdlib.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "common/check.h"

namespace gen9::isa::test {
namespace {

/// Byte offsets the assembler complains about: `byte offset 0x10: error: ...`
std::set<std::size_t> refused_offsets(const std::string& messages) {
    std::set<std::size_t> offsets;
    for (const std::string& line : lines_of(messages)) {
        const std::string mark = "byte offset 0x";
        const auto at = line.find(mark);
        if (at == std::string::npos || line.find(": error:") == std::string::npos) continue;
        offsets.insert(std::stoul(line.substr(at + mark.size()), nullptr, 16));
    }
    return offsets;
}

}  // namespace

std::string normalised(const std::string& line) {
    std::istringstream stream(line);
    std::string word, result;
    while (stream >> word) {
        if (!result.empty()) result += ' ';
        result += word;
    }
    return result;
}

std::string without_comment(const std::string& line) {
    return normalised(line.substr(0, line.find("//")));
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> result;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        result.push_back(line);
    return result;
}

TemporaryDirectory::TemporaryDirectory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "gen9-isa-XXXXXX").string();
    GEN9_CHECK(mkdtemp(pattern.data()) != nullptr, "no temporary directory");
    path_ = pattern;
}
TemporaryDirectory::~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

int run(const std::string& command) {
    return std::system(command.c_str());
}

std::string read_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void write_file(const std::string& path, std::span<const std::uint8_t> bytes) {
    std::ofstream file(path, std::ios::binary);
    for (const std::uint8_t byte : bytes)
        file.put(static_cast<char>(byte));
}

std::vector<std::string> iga_kernel(std::span<const std::uint8_t> bytes,
                                    const TemporaryDirectory& directory) {
    const std::string in = directory.path() + "/kernel.krn", out = directory.path() + "/kernel.asm";
    write_file(in, bytes);
    run(std::string(GEN9_IGA64) + " -d -p=9 " + in + " > " + out + " 2> /dev/null");
    std::vector<std::string> result;
    for (const std::string& line : lines_of(read_file(out)))
        result.push_back(normalised(line));
    return result;
}

std::vector<std::uint8_t> iga_assembled(const std::string& text,
                                        const TemporaryDirectory& directory, std::string& errors) {
    const std::string in = directory.path() + "/text.asm", out = directory.path() + "/text.krn",
                      messages = directory.path() + "/text.err";
    write_file(in, std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
    const int status =
        run(std::string(GEN9_IGA64) + " -a -p=9 " + in + " -o " + out + " 2> " + messages);
    errors = read_file(messages);
    if (status != 0) return {};
    const std::string bytes = read_file(out);
    return {bytes.begin(), bytes.end()};
}

std::map<std::size_t, std::string> iga_words(const std::vector<std::vector<std::uint8_t>>& words,
                                             const TemporaryDirectory& directory) {
    const std::string in = directory.path() + "/words.krn", out = directory.path() + "/words.asm",
                      errors = directory.path() + "/words.err";
    std::set<std::size_t> refused;
    // One refused word makes the assembler print nothing at all: leave those out and ask again.
    for (;;) {
        std::vector<std::uint8_t> kernel;
        std::vector<std::size_t> indices;
        std::map<std::size_t, std::size_t> by_offset;
        for (std::size_t i = 0; i < words.size(); ++i) {
            if (refused.contains(i)) continue;
            by_offset[kernel.size()] = i;
            indices.push_back(i);
            kernel.insert(kernel.end(), words[i].begin(), words[i].end());
        }
        write_file(in, kernel);
        run(std::string(GEN9_IGA64) + " -d -p=9 -n " + in + " > " + out + " 2> " + errors);
        std::vector<std::string> lines;
        for (const std::string& line : lines_of(read_file(out))) {
            if (!normalised(line).empty()) lines.push_back(normalised(line));
        }
        if (lines.size() == indices.size()) {
            std::map<std::size_t, std::string> result;
            for (std::size_t i = 0; i < lines.size(); ++i)
                result[indices[i]] = lines[i];
            return result;
        }
        const std::size_t before = refused.size();
        for (const std::size_t offset : refused_offsets(read_file(errors))) {
            if (by_offset.contains(offset)) refused.insert(by_offset[offset]);
        }
        GEN9_CHECK(refused.size() > before, "the assembler failed without naming an instruction");
    }
}

}  // namespace gen9::isa::test
