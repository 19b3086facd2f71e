// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "platform/host/checks/message.h"

namespace gen9::checks {

/// A message as it was received. Its payload is the size of the fields, the fields, and the bytes
/// behind them.
struct Message {
    MessageKind kind{};
    std::vector<std::uint8_t> payload;

    std::span<const std::uint8_t> fields() const;
    std::span<const std::uint8_t> behind() const;
};

/// Asked while a call waits: is it to give up?
using GiveUp = bool (*)();

/// False when the peer is gone.
bool send_message(int socket, MessageKind kind, std::span<const std::uint8_t> fields,
                  std::span<const std::span<const std::uint8_t>> behind, GiveUp give_up);
/// The same message again, to somebody else.
bool send_message(int socket, const Message& message, GiveUp give_up);
/// Nothing when the peer is gone, or what it sends is no message.
std::optional<Message> receive_message(int socket, GiveUp give_up);

}  // namespace gen9::checks
