// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/eu/execute/builder.h"

#include <gtest/gtest.h>

namespace gen9::eu::test {

bool same_state(const Thread& a, const Thread& b) {
    return std::memcmp(a.grf.data(), b.grf.data(), sizeof a.grf) == 0 && a.acc == b.acc &&
           a.special_acc == b.special_acc && a.address == b.address && a.flag == b.flag &&
           a.control == b.control && a.state == b.state && a.stack == b.stack &&
           a.notification == b.notification && a.ip == b.ip && a.active == b.active &&
           a.waiting == b.waiting && a.wake_ip == b.wake_ip && a.send_mask == b.send_mask &&
           a.call_mask == b.call_mask;
}

Outcome run(Thread& thread, const Instruction& in) {
    Thread reference = thread;
    const DecodedInstruction general = prepare_general(in, reference.ip),
                             fast = prepare(in, thread.ip);
    const Outcome expected = execute(reference, general), outcome = execute(thread, fast);
    EXPECT_EQ(expected, outcome);
    EXPECT_TRUE(same_state(thread, reference))
        << "the specialised function differs from the general path";
    return outcome;
}

}  // namespace gen9::eu::test
