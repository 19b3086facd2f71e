// SPDX-License-Identifier: Apache-2.0
#include "interconnect/payload/message.h"

#include <cstdio>

namespace gen9 {

const char* to_text(Sfid sfid) {
    switch (sfid) {
        case Sfid::Null:
            return "null";
        case Sfid::Sampler:
            return "sampler";
        case Sfid::Gateway:
            return "gateway";
        case Sfid::DataPort2:
            return "data port 2";
        case Sfid::RenderCache:
            return "render cache";
        case Sfid::Urb:
            return "urb";
        case Sfid::ThreadSpawner:
            return "thread spawner";
        case Sfid::Vme:
            return "vme";
        case Sfid::ConstantCache:
            return "constant cache";
        case Sfid::DataPort0:
            return "data port 0";
        case Sfid::PixelInterpolator:
            return "pixel interpolator";
        case Sfid::DataPort1:
            return "data port 1";
        case Sfid::CheckRefine:
            return "check and refine";
    }
    return "reserved";
}

void Message::reset() {
    sfid = Sfid::Null;
    descriptor = extended_descriptor = 0;
    length = first_length = response_length = 0;
    header_present = end_of_thread = alternate_float = system_routine = eight_wide = false;
    execution_mask = 0;
    ip = 0;
    trace_id = 0;
    sender = nullptr;
    status = MessageStatus::Pending;
    response_enable.fill(0);
    notifications = 0;
    given_back = false;
    destination = 0;
}

std::string place_text(const ThreadAddress& place) {
    char text[64];
    std::snprintf(text, sizeof text, "slice%u.subslice%u.eu%u.thread%u", place.slice.value,
                  place.subslice.value, place.eu.value, place.slot.value);
    return text;
}

std::string place_text(const Message& message) {
    char ip[32];
    std::snprintf(ip, sizeof ip, " ip %08llx", static_cast<unsigned long long>(message.ip));
    return (message.sender ? place_text(message.sender->place) : std::string("?")) + ip;
}

std::string to_text(const Message& m) {
    char text[128];
    std::snprintf(text, sizeof text, "%s desc %08x ex %08x len %u rlen %u mask %04x%s",
                  to_text(m.sfid), m.descriptor, m.extended_descriptor, m.length, m.response_length,
                  m.execution_mask, m.end_of_thread ? " EOT" : "");
    return text;
}

}  // namespace gen9
