// SPDX-License-Identifier: Apache-2.0
#include "platform/host/checks/check_connection.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>

#include "common/check.h"
#include "platform/host/checks/check_report.h"
#include "platform/host/stop.h"

namespace gen9::checks {
namespace {

constexpr const char* kVendors = "/etc/OpenCL/vendors";

pid_t g_program = 0;  ///< of this process's connection

/// Asked when the program has sent nothing for a while. A child of its may have inherited its end
/// of the connection, and live on.
bool over() {
    return platform::stop_requested() ||
           (g_program > 0 && kill(g_program, 0) != 0 && errno == ESRCH);
}

/// A program's launches, as its messages tell of them.
class Session {
  public:
    Session(int socket, const CheckSettings& settings)
        : socket_(socket), worker_(settings), report_(settings.ulps) {}

    /// False when the peer is gone, or does not keep to the protocol.
    bool take(Message message);
    const CheckReport& report() const { return report_; }

  private:
    bool program(Message message);
    bool question(const Message& message);
    bool launch(const Message& message);

    int socket_;
    Worker worker_;
    CheckReport report_;
};

bool Session::program(Message message) {
    const auto text = from_bytes<ProgramText>(message.fields());
    if (text) worker_.take(text->id, std::move(message));
    return text.has_value();
}

bool Session::question(const Message& message) {
    std::string reason;
    if (const auto answer = worker_.ask(message, reason))
        return send_message(socket_, *answer, platform::stop_requested);
    return send_message(socket_, MessageKind::Answer, to_bytes(KernelAnswer{reason, {}}), {},
                        platform::stop_requested);
}

bool Session::launch(const Message& message) {
    const auto record = from_bytes<LaunchRecord>(message.fields());
    if (!record) return false;
    std::string reason;
    const auto answer = worker_.ask(message, reason);
    const auto result = answer ? from_bytes<LaunchResult>(answer->fields()) : std::nullopt;
    if (platform::stop_requested()) return false;
    if (result && result->reason.empty())
        report_.compared(*record, *result);
    else
        report_.not_compared(record->kernel, result ? result->reason : reason);
    return true;
}

bool Session::take(Message message) {
    if (message.kind == MessageKind::Program) return program(std::move(message));
    if (message.kind == MessageKind::Question) return question(message);
    if (message.kind == MessageKind::Launch) return launch(message);
    if (message.kind != MessageKind::Refusal) return false;
    const auto refusal = from_bytes<LaunchRefusal>(message.fields());
    if (refusal) report_.not_compared(refusal->kernel, refusal->reason);
    return refusal.has_value();
}

}  // namespace

bool is_report(const std::string& summary) {
    return summary.starts_with(kReportStart);
}

std::string pocl_vendor_file() {
    std::error_code error;
    for (const auto& file : std::filesystem::directory_iterator(kVendors, error))
        if (file.path().extension() == ".icd" &&
            file.path().filename().string().find("pocl") != std::string::npos)
            return file.path();
    throw UserError(std::string("--check-launches: PoCL is not installed (no pocl.icd in ") +
                    kVendors + "); install the Debian package pocl-opencl-icd");
}

std::pair<platform::FileDescriptor, std::string> listen_in(const std::string& folder) {
    const std::string name = folder + "/checks";
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    platform::FileDescriptor listener(
        socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (name.size() >= sizeof address.sun_path)
        throw UserError("'" + name + "' is too long for the name of a socket: set TMPDIR");
    std::memcpy(address.sun_path, name.c_str(), name.size());
    if (bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        listen(listener.get(), SOMAXCONN) != 0)
        throw UserError("cannot listen on '" + name + "': " + std::strerror(errno));
    return {std::move(listener), name};
}

platform::Outcome serve_checks(int socket, const CheckSettings& settings) {
    ucred peer{};
    socklen_t size = sizeof peer;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0) g_program = peer.pid;
    Session session(socket, settings);
    while (auto message = receive_message(socket, over))
        if (!session.take(std::move(*message))) break;
    platform::Outcome outcome;
    outcome.failed = session.report().differs();
    outcome.summary = session.report().text();
    return outcome;
}

}  // namespace gen9::checks
