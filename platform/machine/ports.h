// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "common/check.h"

namespace gen9::platform {

/// The places of an array of sockets, by the name of who is bound there, in the order in which they
/// were added. Who arbitrates by index sees that order.
class Ports {
  public:
    /// Gives the index of the client's place.
    unsigned add(std::string client) {
        GEN9_CHECK(std::ranges::find(clients_, client) == clients_.end(),
                   "two sockets are to be bound as '" + client + "'");
        clients_.push_back(std::move(client));
        return count() - 1;
    }
    /// The index of a client that has been added.
    unsigned operator[](const std::string& client) const {
        const auto found = std::ranges::find(clients_, client);
        GEN9_CHECK(found != clients_.end(), "no place has been made for '" + client + "'");
        return static_cast<unsigned>(found - clients_.begin());
    }
    unsigned count() const { return static_cast<unsigned>(clients_.size()); }

  private:
    std::vector<std::string> clients_;
};

}  // namespace gen9::platform
