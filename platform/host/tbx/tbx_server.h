// SPDX-License-Identifier: Apache-2.0
/// A server that gives each connection a process of its own.
/// Role     every connection has a physical memory of its own, and SystemC elaborates once per
///          process: so the server forks on accept, and the child builds its engine after that.
///          What a connection came to travels back to the server over a pipe.
#pragma once
#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "platform/host/socket.h"

namespace gen9::platform {

/// A connection came to this.
struct Outcome {
    bool worked = false;  ///< its engine was given work
    bool failed =
        false;  ///< guest errors, hang, something not modelled, a peer that broke the protocol
    bool stopped =
        false;            ///< the engine stopped before the peer was done: its program cannot go on
    std::string summary;  ///< for the person watching; may be empty
    pid_t peer = 0;       ///< the process at the other end, where that is known
    bool flawed = false;  ///< guest errors, something not modelled: its results may be wrong

    std::string to_text() const;
    static Outcome from_text(const std::string& text);
};

class TbxServer {
  public:
    /// Runs in the process of the connection, which ends with it.
    using Handler = std::function<Outcome(int socket, unsigned connection)>;
    /// Called in the server when a connection has ended; connections are numbered from 1.
    using Ended = std::function<void(unsigned connection, const Outcome& outcome)>;

    /// Connections come in by a door, and a process serves each.
    struct Door {
        FileDescriptor listener;
        Handler handler;
    };

    TbxServer(std::vector<Door> doors, Ended ended);
    TbxServer(FileDescriptor listener, Handler handler, Ended ended);
    ~TbxServer();
    TbxServer(const TbxServer&) = delete;
    TbxServer& operator=(const TbxServer&) = delete;

    /// Serves until `done` holds; it is asked whenever something has happened, and now and then.
    /// After a stop request (stop.h) no connection is accepted, and those alive are asked to stop.
    void serve_until(const std::function<bool()>& done);
    void stop_accepting() { accepting_ = false; }

    unsigned accepted() const { return accepted_; }
    bool idle() const { return connections_.empty(); }

  private:
    struct Connection {
        unsigned number;
        pid_t process;
        pid_t peer;
        FileDescriptor result;
        std::string text;
    };
    void wait();
    void accept_pending(const Door& door);
    void start(FileDescriptor socket, const Handler& handler);
    [[noreturn]] void be_connection(FileDescriptor socket, const Handler& handler,
                                    FileDescriptor result);
    bool collect(Connection& connection);
    void conclude(const Connection& connection);
    void ask_connections_to_stop();

    std::vector<Door> doors_;
    Ended ended_;
    std::vector<Connection> connections_;
    std::vector<pid_t> leaving_;  ///< processes that have said all and are about to end
    unsigned accepted_ = 0;
    bool accepting_ = true;
    bool asked_to_stop_ = false;
};

}  // namespace gen9::platform
