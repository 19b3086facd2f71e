// SPDX-License-Identifier: Apache-2.0
#include "platform/host/program/program_file.h"

#include <elf.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <vector>

namespace gen9::platform {
namespace {

std::string found_in_path(const std::string& word) {
    if (word.find('/') != std::string::npos) return word;
    const char* path = std::getenv("PATH");
    std::istringstream folders(path ? path : "/usr/local/bin:/usr/bin:/bin");
    for (std::string folder; std::getline(folders, folder, ':');) {
        const std::string file = (folder.empty() ? "." : folder) + "/" + word;
        if (access(file.c_str(), X_OK) == 0) return file;
    }
    return word;
}

/// Does the kernel give it other rights than its user's? The loader then takes no libraries from
/// the environment.
bool has_other_rights(const std::string& file) {
    struct stat status {};
    if (stat(file.c_str(), &status) != 0) return false;
    if ((status.st_mode & S_ISUID) && status.st_uid != geteuid()) return true;
    if ((status.st_mode & S_ISGID) && status.st_gid != getegid()) return true;
    return geteuid() != 0 && getxattr(file.c_str(), "security.capability", nullptr, 0) > 0;
}

template <class Record>
bool read_at(std::ifstream& from, std::uint64_t place, Record& record) {
    from.seekg(static_cast<std::streamoff>(place));
    return !!from.read(reinterpret_cast<char*>(&record), sizeof record);
}

/// Is there a loader that runs first?
bool is_dynamic(std::ifstream& file, const Elf64_Ehdr& header) {
    for (unsigned i = 0; i < header.e_phnum; ++i) {
        Elf64_Phdr part{};
        if (!read_at(file, header.e_phoff + std::uint64_t{i} * sizeof part, part)) return true;
        if (part.p_type == PT_INTERP) return true;
    }
    return false;
}

/// Names the interpreter of a script; empty for other files.
std::string interpreter_of(const std::string& file) {
    std::ifstream text(file, std::ios::binary);
    std::string line, name;
    if (!std::getline(text, line) || !line.starts_with("#!")) return {};
    std::istringstream(line.substr(2)) >> name;
    return name;
}

}  // namespace

std::string why_not_preloaded(const std::string& word) {
    std::string name = found_in_path(word);
    if (const std::string interpreter = interpreter_of(name); !interpreter.empty())
        name = interpreter;
    std::ifstream file(name, std::ios::binary);
    Elf64_Ehdr header{};
    if (!read_at(file, 0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return {};
    const std::string begin = "'" + name + "' is a ";
    constexpr const char* kEnd =
        ", so the library by which programs find the model's device cannot be loaded into it; ";
    if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != EM_X86_64)
        return begin + "program for another processor than x86-64" + kEnd + "build it for x86-64";
    if (has_other_rights(name))
        return begin + "program with rights of its own (set-uid, set-gid or capabilities)" + kEnd +
               "run a copy without them";
    if (!is_dynamic(file, header)) return begin + "static program" + kEnd + "link it dynamically";
    return {};
}

}  // namespace gen9::platform
