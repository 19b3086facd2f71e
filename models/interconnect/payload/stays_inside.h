// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gen9 {

/// A DirectFunction whose sites may run on another thread of the host, beside those of other
/// targets, as long as they are told to stay inside.
class StaysInside {
  public:
    /// From now on a site does nothing, and says so, where a message needs more than what belongs
    /// to its target and host memory that is at hand, and where its place among the messages of
    /// other targets shows in its result (an atomic on global memory).
    virtual void stay_inside(bool on) = 0;

  protected:
    ~StaysInside() = default;
};

}  // namespace gen9
