// SPDX-License-Identifier: Apache-2.0
/// Memory that is mapped from a file whose bytes cannot be had: the file was cut, or there is no
/// room for a page of it. To touch it is a signal, SIGBUS, which would end the process.
/// Role     whoever maps such files says which of their pages may become zeros; the process then
///          goes on, and has been told. All other faults end it as before.
#pragma once

namespace gen9 {

/// Called in a signal handler with the page that was touched: is it one of yours, that may become
/// a page of zeros of no file?
using MayLosePage = bool (*)(const void* page);

/// Asked from now on at each such fault. For a few, which are never taken away.
void add_page_loser(MayLosePage may_lose);

}  // namespace gen9
