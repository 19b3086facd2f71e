// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gen9::test {

/// How cases are run that may share a process.
enum class Together {
    Never,
    /// All in one process, and each in its own when that has failed: so the one is found that does.
    WhileTheyPass
};

/// Runs a GoogleTest program's cases, each in a process of its own: SystemC elaborates once in a
/// process, and a case that crashes or hangs takes no other with it. The processes are forked, so
/// that the program is loaded and linked once. Where `together` says so, the cases share a process,
/// which takes less of the machine's time.
///
/// `run` is the whole of an ordinary main: it calls InitGoogleTest and RUN_ALL_TESTS. The cases are
/// those that the command line selects. One case alone runs in this process, as a debugger wants
/// it; with GEN9_CASES=together all do.
/// GEN9_REPORTS names a folder for an XML report of each case. GEN9_CASE_SECONDS is the processor
/// time that a case may take, 60 without it; by the clock it is ten times as long. Returns 0 when
/// there was a case and all have passed.
int run_each_case(int argc, char** argv, int (*run)(int argc, char** argv), Together together);

}  // namespace gen9::test
