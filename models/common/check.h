// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdexcept>
#include <string>

namespace gen9 {

/// The model broke one of its own rules. Ends the run; never the answer to bad input.
class InternalError : public std::logic_error {
  public:
    using std::logic_error::logic_error;
};

/// The user asked for something that cannot be: a bad option, key or file. One line, said before
/// the simulation starts; the program ends with status 2.
class UserError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

[[noreturn]] void fail_check(const char* condition, const char* file, int line,
                             const std::string& text);

}  // namespace gen9

/// Holds in every build type. `text` may be any expression giving a std::string.
#define GEN9_CHECK(condition, text)                                     \
    do {                                                                \
        if (!(condition)) [[unlikely]]                                  \
            ::gen9::fail_check(#condition, __FILE__, __LINE__, (text)); \
    } while (false)
