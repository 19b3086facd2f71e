// SPDX-License-Identifier: Apache-2.0
#include "dispatch/types.h"

namespace gen9::dispatch {

const char* to_text(Activity activity) {
    switch (activity) {
        case Activity::Idle:
            return "nothing";
        case Activity::Sending:
            return "sending threads";
        case Activity::FrontEnd:
            return "the front end";
        case Activity::WaitUrb:
            return "a URB entry";
        case Activity::WaitSlot:
            return "a free thread slot";
        case Activity::WaitRegisters:
            return "registers of an EU";
        case Activity::WaitSlm:
            return "shared local memory";
        case Activity::WaitBarrier:
            return "a barrier or group counter";
        case Activity::WaitHandshake:
            return "the gateway's accept";
        case Activity::WaitPayload:
            return "the local dispatchers";
        case Activity::WaitDrain:
            return "running threads to end";
        case Activity::WaitScoreboard:
            return "the scoreboard";
        case Activity::WaitSpawn:
            return "a spawn root thread message";
        case Activity::WaitFence:
            return "the persistent root thread's fence";
    }
    return "?";
}

}  // namespace gen9::dispatch
