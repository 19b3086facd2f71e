// SPDX-License-Identifier: Apache-2.0
/// The public assembler as an outside judge: runs `iga64 -d -p=9` (found by CMake).
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace gen9::isa::test {

/// Runs of blanks made one, none at the ends.
std::string normalised(const std::string& line);
/// Up to `//`.
std::string without_comment(const std::string& line);
std::vector<std::string> lines_of(const std::string& text);

/// A directory of its own for a test, removed with it.
class TemporaryDirectory {
  public:
    TemporaryDirectory();
    ~TemporaryDirectory();
    TemporaryDirectory(const TemporaryDirectory&) = delete;
    TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

/// Exit status of a shell command.
int run(const std::string& command);
std::string read_file(const std::string& path);
void write_file(const std::string& path, std::span<const std::uint8_t> bytes);

/// The assembler's text of a whole kernel, normalised, with labels.
std::vector<std::string> iga_kernel(std::span<const std::uint8_t> bytes,
                                    const TemporaryDirectory& directory);

/// The bytes it assembles from a whole text, native forms only; empty when it refuses, with its
/// messages in `errors`.
std::vector<std::uint8_t> iga_assembled(const std::string& text,
                                        const TemporaryDirectory& directory, std::string& errors);

/// Its text of single instructions, by index: each word of `words` stands alone, so branch targets
/// are printed as plain offsets. Words it refuses are missing.
std::map<std::size_t, std::string> iga_words(const std::vector<std::vector<std::uint8_t>>& words,
                                             const TemporaryDirectory& directory);

}  // namespace gen9::isa::test
