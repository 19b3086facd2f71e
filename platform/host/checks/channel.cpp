// SPDX-License-Identifier: Apache-2.0
#include "platform/host/checks/channel.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace gen9::checks {
namespace {

bool goes_on(GiveUp give_up) {
    return (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK) && !give_up();
}

bool send_bytes(int socket, std::span<const std::uint8_t> bytes, GiveUp give_up) {
    while (!bytes.empty()) {
        const ssize_t sent = send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent < 0 && goes_on(give_up)) continue;
        if (sent <= 0) return false;
        bytes = bytes.subspan(static_cast<std::size_t>(sent));
    }
    return true;
}

bool receive_bytes(int socket, std::span<std::uint8_t> room, GiveUp give_up) {
    while (!room.empty()) {
        const ssize_t count = recv(socket, room.data(), room.size(), 0);
        if (count < 0 && goes_on(give_up)) continue;
        if (count <= 0) return false;
        room = room.subspan(static_cast<std::size_t>(count));
    }
    return true;
}

template <class T>
std::span<const std::uint8_t> bytes_of(const T& value) {
    return {reinterpret_cast<const std::uint8_t*>(&value), sizeof value};
}

}  // namespace

std::span<const std::uint8_t> Message::fields() const {
    std::uint64_t size = 0;
    std::memcpy(&size, payload.data(), sizeof size);
    return std::span(payload).subspan(sizeof size, static_cast<std::size_t>(size));
}

std::span<const std::uint8_t> Message::behind() const {
    return std::span(payload).subspan(sizeof(std::uint64_t) + fields().size());
}

bool send_message(int socket, MessageKind kind, std::span<const std::uint8_t> fields,
                  std::span<const std::span<const std::uint8_t>> behind, GiveUp give_up) {
    const std::uint64_t size = fields.size();
    MessageHead head{.kind = kind, .bytes = sizeof size + size};
    for (const auto part : behind)
        head.bytes += part.size();
    return head.bytes <= kLongestMessage && send_bytes(socket, bytes_of(head), give_up) &&
           send_bytes(socket, bytes_of(size), give_up) && send_bytes(socket, fields, give_up) &&
           std::ranges::all_of(behind,
                               [&](auto part) { return send_bytes(socket, part, give_up); });
}

bool send_message(int socket, const Message& message, GiveUp give_up) {
    const MessageHead head{.kind = message.kind, .bytes = message.payload.size()};
    return send_bytes(socket, bytes_of(head), give_up) &&
           send_bytes(socket, message.payload, give_up);
}

std::optional<Message> receive_message(int socket, GiveUp give_up) {
    MessageHead head;
    std::uint64_t size = 0;
    if (!receive_bytes(socket, {reinterpret_cast<std::uint8_t*>(&head), sizeof head}, give_up) ||
        head.bytes < sizeof size || head.bytes > kLongestMessage)
        return {};
    Message message{head.kind, std::vector<std::uint8_t>(static_cast<std::size_t>(head.bytes))};
    if (!receive_bytes(socket, message.payload, give_up)) return {};
    std::memcpy(&size, message.payload.data(), sizeof size);
    return size <= head.bytes - sizeof size ? std::optional(std::move(message)) : std::nullopt;
}

}  // namespace gen9::checks
