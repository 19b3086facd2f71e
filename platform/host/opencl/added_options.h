// SPDX-License-Identifier: Apache-2.0
/// Build options that a person adds to those of an OpenCL program (gen9sim run --opencl-options).
/// The folder that kLaunchesVariable names gets a file PID.options with a line for each build,
/// which build_tally.h reads: source, compiled with the options; binary, which is not compiled; or
/// failed.
#pragma once
#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#include <CL/cl.h>
#include <CL/cl_icd.h>

#include <string>

namespace gen9::platform {

/// The part in the program.
class AddedOptions {
  public:
    static bool wanted();
    explicit AddedOptions(const cl_icd_dispatch& driver) : driver_(driver) {}

    /// A program's options, none if null, with the added ones behind them.
    std::string with(const char* options) const;
    void compiled(cl_program program, cl_int error) const;

  private:
    const cl_icd_dispatch& driver_;
};

}  // namespace gen9::platform
