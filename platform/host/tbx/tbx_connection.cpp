// SPDX-License-Identifier: Apache-2.0
#include "platform/host/tbx/tbx_connection.h"

#include <cstring>
#include <vector>

#include "platform/host/socket.h"
#include "platform/host/stop.h"
#include "platform/host/tbx/tbx_session.h"

namespace gen9::platform {
namespace {

// Big enough that a burst of page writes costs few system calls, small enough for the L2 cache
// of the machine this runs on.
constexpr std::size_t kBufferBytes = 512 << 10;

}  // namespace

TbxConnectionEnd serve_tbx_connection(int socket, Engine& engine,
                                      const std::function<void(const std::string&)>& log,
                                      const OnLaunch& on_launch) {
    bool peer_listens = true;
    TbxSession session(
        engine,
        [&](std::span<const std::uint8_t> reply) { peer_listens = send_all(socket, reply); }, log);
    session.on_launch = on_launch;
    engine.wanted = [socket] { return !peer_gone(socket); };
    engine.host_writes = true;
    std::vector<std::uint8_t> buffer(kBufferBytes);
    std::size_t held = 0;
    while (peer_listens && !session.ended() && !stop_requested()) {
        const std::size_t count = receive_some(socket, std::span(buffer).subspan(held));
        if (count == 0) break;
        held += count;
        const std::size_t used = session.take(std::span(buffer).first(held));
        held -= used;
        std::memmove(buffer.data(), buffer.data() + used, held);
    }
    if (!session.ended() && !stop_requested() && (held != 0 || session.in_message()))
        log("TBX: the peer closed the connection in the middle of a message");
    if (!session.ended() && engine.waits_for_host())
        log("the program has ended while the engine waited for it to write memory\n" +
            engine.describe_waiting());
    return {session.complaints(), session.ended() && !session.quit()};
}

}  // namespace gen9::platform
