// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace gen9::platform {

/// Owns a file descriptor.
class FileDescriptor {
  public:
    FileDescriptor() = default;
    explicit FileDescriptor(int fd) : fd_(fd) {}
    FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    FileDescriptor& operator=(FileDescriptor&& other) noexcept;
    ~FileDescriptor() { close(); }
    int get() const { return fd_; }
    explicit operator bool() const { return fd_ >= 0; }
    void close();

  private:
    int fd_ = -1;
};

struct Pipe {
    FileDescriptor read_end, write_end;
};
Pipe make_pipe();

/// A TCP socket listening on a numeric address or host name; port 0 asks for any free port.
/// Throws UserError.
FileDescriptor listen_on(const std::string& address, std::uint16_t port);
std::uint16_t port_of(const FileDescriptor& listener);

/// Connects to a server on this machine. Throws UserError.
FileDescriptor connect_to(const std::string& address, std::uint16_t port);

/// Makes an accepted connection answer at once and look up from waiting now and then (stop.h).
void prepare_connection(const FileDescriptor& connection);

/// Has the peer closed the connection, or its process ended? What it has sent may still be waiting.
bool peer_gone(int socket);

/// Waits for bytes; 0 when the peer is gone or this process is asked to stop.
std::size_t receive_some(int socket, std::span<std::uint8_t> room);

/// Sends everything, waiting as needed; false when the peer is gone or this process is asked to
/// stop. Never raises SIGPIPE.
bool send_all(int socket, std::span<const std::uint8_t> bytes);

}  // namespace gen9::platform
