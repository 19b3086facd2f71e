// SPDX-License-Identifier: Apache-2.0
#include "platform/host/opencl/added_options.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>

#include "platform/host/program/build_tally.h"
#include "platform/host/program/driver.h"

namespace gen9::platform {

bool AddedOptions::wanted() {
    const char* options = std::getenv(kOptionsVariable);
    return options && *options;
}

std::string AddedOptions::with(const char* options) const {
    const char* const added = std::getenv(kOptionsVariable);
    if (!added) return {};
    return options && *options ? options + std::string(" ") + added : added;
}

void AddedOptions::compiled(cl_program program, cl_int error) const {
    const char* const folder = std::getenv(kLaunchesVariable);
    if (!wanted() || !folder) return;
    const auto has = [&](cl_program_info what) {
        std::size_t size = 0;
        // An empty text has its end.
        return driver_.clGetProgramInfo(program, what, 0, nullptr, &size) == CL_SUCCESS && size > 1;
    };
    const char* word = kBuiltFromSource;
    if (error != CL_SUCCESS)
        word = kNotBuilt;
    else if (!has(CL_PROGRAM_SOURCE) && !has(CL_PROGRAM_IL))
        word = kBuiltFromBinary;
    const std::string path = std::string(folder) + "/" + std::to_string(getpid()) + kTallyExtension;
    const int file =
        open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file < 0) return;
    const std::string line = word + std::string("\n");
    [[maybe_unused]] const auto written = write(file, line.data(), line.size());
    close(file);
}

}  // namespace gen9::platform
