// SPDX-License-Identifier: Apache-2.0
// Entry of module tests: any SystemC warning or error fails the running test.
#include <gtest/gtest.h>

#include <systemc>

#include "each_case.h"

namespace {

void fail_on_report(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
    if (report.get_severity() >= sc_core::SC_WARNING)
        ADD_FAILURE() << "SystemC report " << report.get_msg_type() << ": " << report.get_msg();
    sc_core::sc_report_handler::default_handler(report, actions);
}

int run(int argc, char** argv) {
    ::testing::InitGoogleTest(&argc, argv);
    sc_core::sc_report_handler::set_handler(fail_on_report);
    return RUN_ALL_TESTS();
}

}  // namespace

int sc_main(int argc, char** argv) {
    return gen9::test::run_each_case(argc, argv, run, gen9::test::Together::Never);
}
