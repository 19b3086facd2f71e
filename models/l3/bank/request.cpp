// SPDX-License-Identifier: Apache-2.0
#include "l3/bank/request.h"

#include <cstring>

#include "common/check.h"

namespace gen9::l3 {

void decode(tlm::tlm_generic_payload& payload, Request& request, const char* where,
            bool whole_lines) {
    const auto& a = attributes_of(payload);
    request.payload = &payload;
    request.key = LineKey(a.space, payload.get_address());
    request.line_class = class_of(a.requester);
    request.bypass = a.uncached;
    LineAccess& access = request.access;
    access = LineAccess();
    access.owned = a.space == AddressSpace::Physical;
    access.whole = whole_lines;
    access.offset = static_cast<unsigned>(payload.get_address() % kLineBytes);
    access.requester = a.requester;
    access.thread = a.thread;
    access.mocs = a.mocs;
    if (a.operation == MemoryAttributes::Operation::Lanes) {
        access.lanes = &find_attributes(payload)->lanes;
    } else {
        access.write = payload.is_write();
        access.size = payload.get_data_length();
        access.data = payload.get_data_ptr();
        if (access.write && payload.get_byte_enable_ptr() && payload.get_byte_enable_length()) {
            access.enables = payload.get_byte_enable_ptr();
            access.enable_period = payload.get_byte_enable_length();
        }
        GEN9_CHECK(access.size && access.offset + access.size <= kLineBytes,
                   std::string(where) + ": a request leaves its line");
    }
    request.write = access.is_write();
    request.atomic = access.is_atomic();
    request.needed = access.needed();
    request.refused_at = 0;
}

void refuse(const Request& request, tlm::tlm_response_status status) {
    if (request.access.lanes)
        request.access.lanes->result.fill(0);
    else if (!request.access.write)
        std::memset(request.access.data, 0, request.access.size);
    request.payload->set_response_status(status);
}

}  // namespace gen9::l3
