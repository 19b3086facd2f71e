// SPDX-License-Identifier: Apache-2.0
/// Functions of the C library by which a program starts others, or clears its environment. What the
/// program was given (driver.h) goes with it: otherwise a program with an environment of its own
/// making finds no device, and nobody says why.
#include <alloca.h>
#include <spawn.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "platform/host/drm/library/process/real.h"
#include "platform/host/drm/library/process/tell.h"
#include "platform/host/drm/library/process/tree.h"
#include "platform/host/program/drm_variables.h"

namespace gen9::drm {
namespace {

constexpr std::string_view kPreload = "LD_PRELOAD=";

/// NAME=value of each variable that the run has given, as it was when this library was loaded. Kept
/// for ever.
const std::vector<std::string>& given() {
    static const auto* const all = [] {
        auto* found = new std::vector<std::string>;
        const char* names = std::getenv(kGivenVariable);
        std::string_view rest = names ? names : "";
        while (!rest.empty()) {
            const std::string name(rest.substr(0, rest.find(':')));
            rest.remove_prefix(std::min(rest.size(), name.size() + 1));
            if (const char* value = std::getenv(name.c_str())) found->push_back(name + "=" + value);
        }
        return found;
    }();
    return *all;
}

/// A program may clear its environment before it looks for the device.
[[gnu::constructor]] void remember() {
    tree();
    given();
    real();
}

std::string_view name_of(const char* variable) {
    const char* end = std::strchr(variable, '=');
    return {variable, end ? static_cast<std::size_t>(end - variable) + 1 : std::strlen(variable)};
}

const char* find(char* const* environment, std::string_view name) {
    for (; environment && *environment; ++environment)
        if (name_of(*environment) == name) return *environment;
    return nullptr;
}

/// Calls start(environment) with what is missing in an environment. In a child of vfork nothing may
/// be allocated that lives on: all is on the stack.
template <class Start>
int with_given(char* const* environment, Start&& start) {
    if (tree().empty()) return start(environment);
    std::size_t count = 0;
    while (environment && environment[count])
        ++count;
    auto** const all = static_cast<char**>(alloca((count + given().size() + 1) * sizeof(char*)));
    std::memcpy(all, environment, count * sizeof(char*));
    for (const std::string& variable : given()) {
        const std::string_view name = name_of(variable.c_str());
        const char* const has = find(environment, name);
        if (!has) {
            all[count++] = const_cast<char*>(variable.c_str());
        } else if (name == kPreload && !std::strstr(has, variable.c_str() + kPreload.size())) {
            const std::size_t bytes = variable.size() + 1 + std::strlen(has) + 1;
            auto* const both = static_cast<char*>(alloca(bytes));
            std::snprintf(both, bytes, "%s:%s", variable.c_str(), has + kPreload.size());
            for (std::size_t i = 0; i < count; ++i)
                if (all[i] == has) all[i] = both;
        }
    }
    all[count] = nullptr;
    return start(all);
}

}  // namespace
}  // namespace gen9::drm

using namespace gen9::drm;

#define GEN9_EXPORT extern "C" __attribute__((visibility("default")))

/// The arguments of execl and its kin, of which the first is known, as an array on the stack;
/// `list` stands behind them.
#define GEN9_ARGUMENTS(first)                                                      \
    std::size_t count = 1;                                                         \
    va_list list;                                                                  \
    va_start(list, first);                                                         \
    while (va_arg(list, char*))                                                    \
        ++count;                                                                   \
    va_end(list);                                                                  \
    auto** const words = static_cast<char**>(alloca((count + 1) * sizeof(char*))); \
    words[0] = const_cast<char*>(first);                                           \
    va_start(list, first);                                                         \
    for (std::size_t i = 1; i <= count; ++i)                                       \
        words[i] = va_arg(list, char*);

GEN9_EXPORT int execve(const char* path, char* const* words, char* const* environment) {
    return with_given(environment, [&](auto* all) { return real().execve(path, words, all); });
}
GEN9_EXPORT int execv(const char* path, char* const* words) {
    return execve(path, words, environ);
}
GEN9_EXPORT int execvpe(const char* file, char* const* words, char* const* environment) {
    return with_given(environment, [&](auto* all) { return real().execvpe(file, words, all); });
}
GEN9_EXPORT int execvp(const char* file, char* const* words) {
    return execvpe(file, words, environ);
}
GEN9_EXPORT int execl(const char* path, const char* first, ...) {
    GEN9_ARGUMENTS(first)
    va_end(list);
    return execve(path, words, environ);
}
GEN9_EXPORT int execlp(const char* file, const char* first, ...) {
    GEN9_ARGUMENTS(first)
    va_end(list);
    return execvpe(file, words, environ);
}
GEN9_EXPORT int execle(const char* path, const char* first, ...) {
    GEN9_ARGUMENTS(first)
    auto* const environment = va_arg(list, char* const*);
    va_end(list);
    return execve(path, words, environment);
}
GEN9_EXPORT int fexecve(int file, char* const* words, char* const* environment) {
    return with_given(environment, [&](auto* all) { return real().fexecve(file, words, all); });
}
GEN9_EXPORT int execveat(int folder_descriptor, const char* path, char* const* words,
                         char* const* environment, int flags) {
    return with_given(environment, [&](auto* all) {
        return real().execveat(folder_descriptor, path, words, all, flags);
    });
}
GEN9_EXPORT int posix_spawn(pid_t* process, const char* path,
                            const posix_spawn_file_actions_t* actions, const posix_spawnattr_t* how,
                            char* const* words, char* const* environment) {
    return with_given(environment, [&](auto* all) {
        return real().posix_spawn(process, path, actions, how, words, all);
    });
}
GEN9_EXPORT int posix_spawnp(pid_t* process, const char* file,
                             const posix_spawn_file_actions_t* actions,
                             const posix_spawnattr_t* how, char* const* words,
                             char* const* environment) {
    return with_given(environment, [&](auto* all) {
        return real().posix_spawnp(process, file, actions, how, words, all);
    });
}
/// system() and popen() start programs by the C library's own functions, with this environment.
GEN9_EXPORT int clearenv() {
    const int result = real().clearenv();
    for (const std::string& variable : given())
        putenv(const_cast<char*>(variable.c_str()));
    return result;
}
GEN9_EXPORT int chroot(const char* path) {
    const int result = real().chroot(path);
    if (result == 0 && !tree().empty())
        tell(Topic::Root,
             "it has another root directory now: drivers that are not in there, and the model's "
             "device, are found no more; open the device before");
    return result;
}
