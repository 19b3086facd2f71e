// SPDX-License-Identifier: Apache-2.0
#include "interconnect/payload/work.h"

namespace gen9 {

const char* to_text(SendState state) {
    switch (state) {
        case SendState::Idle:
            return "nothing";
        case SendState::Sending:
            return "sending threads";
        case SendState::FrontEnd:
            return "the front end";
        case SendState::WaitUrb:
            return "a URB entry";
        case SendState::WaitSlot:
            return "a free thread slot";
        case SendState::WaitRegisters:
            return "registers of an EU";
        case SendState::WaitSlm:
            return "shared local memory";
        case SendState::WaitBarrier:
            return "a barrier or group counter";
        case SendState::WaitHandshake:
            return "the gateway's accept";
        case SendState::WaitPayload:
            return "the local dispatchers";
        case SendState::WaitDrain:
            return "running threads to end";
        case SendState::WaitScoreboard:
            return "the scoreboard";
        case SendState::WaitSpawn:
            return "a spawn root thread message";
        case SendState::WaitFence:
            return "the persistent root thread's fence";
        case SendState::kCount:
            break;
    }
    return "?";
}

}  // namespace gen9
