// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "interconnect/kernel/memory_transaction.h"
#include "l3/bank/core.h"

namespace gen9::l3 {

/// The facts of a client's request once its transaction has been decoded.
struct Request {
    tlm::tlm_generic_payload* payload = nullptr;
    LineKey key;
    unsigned client = 0;
    LineClass line_class = LineClass::Data;
    bool bypass = false;
    bool write = false, atomic = false;
    std::uint64_t needed = 0;  ///< bytes, as the access says
    /// The bank's changes() at which its line was there but the port of the array was not; 0: none.
    std::uint64_t refused_at = 0;
    LineAccess access;
};

/// Fills `request` in from a transaction of at most a line; `where` is named if it is longer. What
/// passes L3 by says so by its attribute.
void decode(tlm::tlm_generic_payload& payload, Request& request, const char* where,
            bool whole_lines = false);

/// Answers a request that has failed: zeros for what it reads.
void refuse(const Request& request, tlm::tlm_response_status status);

}  // namespace gen9::l3
