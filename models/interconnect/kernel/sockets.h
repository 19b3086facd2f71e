// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <tlm>
#include <typeinfo>
#include <vector>

#include "interconnect/payload/command.h"
#include "interconnect/payload/direct_message.h"
#include "interconnect/payload/dispatch.h"
#include "interconnect/payload/memory_request.h"
#include "interconnect/payload/message.h"
#include "interconnect/payload/resource.h"

namespace gen9 {

/// Protocols of our own, with the four phases of the base protocol and their standard meaning.
/// A begin of response may be annotated with a delay: it then says that the response will be there
/// so much later, which lets an EU run ahead safely (docs/architecture.md).
struct MessageProtocol {
    using tlm_payload_type = Message;
    using tlm_phase_type = tlm::tlm_phase;
};
struct DispatchProtocol {
    using tlm_payload_type = ThreadDispatch;
    using tlm_phase_type = tlm::tlm_phase;
};
/// An extra phase of the dispatch protocol, forward: the thread that the sideband names has ended
/// at now + delay, and threads of the target that depend on it need not wait any more (EU-108). It
/// opens no transaction and has no answer but TLM_ACCEPTED. A target without dependencies may
/// ignore it. The other extra phases are in save_threads.h and stop_walk.h.
struct ThreadEndedPhase : tlm::tlm_phase {
    ThreadEndedPhase() : tlm::tlm_phase(typeid(ThreadEndedPhase), "THREAD_ENDED") {}
};
inline const ThreadEndedPhase kThreadEnded;
struct CommandProtocol {
    using tlm_payload_type = PipelineCommand;
    using tlm_phase_type = tlm::tlm_phase;
};
struct ResourceProtocol {
    using tlm_payload_type = ResourceRequest;
    using tlm_phase_type = tlm::tlm_phase;
};
using MemoryProtocol = tlm::tlm_base_protocol_types;

// A socket of a block as the machine binds it: a module of ours, of a plugin, or any other TLM-2.0
// module may have it.
template <class Protocol>
using AnyTarget = tlm::tlm_target_socket<32, Protocol>;
template <class Protocol>
using AnyInitiator = tlm::tlm_initiator_socket<32, Protocol>;

/// A socket of ours.
class OwnSocket {
  public:
    virtual ~OwnSocket() = default;
    /// After elaboration: is a socket bound to it that is not of this kind? What is behind such a
    /// socket knows nothing of our clock.
    virtual bool foreign() const = 0;
    /// A target of messages: takes them as calls, too (direct_message.h). Null: it does not.
    virtual DirectFunction* grant() { return nullptr; }
    /// A target of flushes and invalidations: what of them means something to it (ControlTarget).
    virtual ControlBits heeds() const { return ~ControlBits{0}; }

  protected:
    static bool is_foreign(const sc_core::sc_interface* peer) {
        return peer != nullptr && dynamic_cast<const OwnSocket*>(peer) == nullptr;
    }
};

/// Is told of what passes between an initiator and its target, with the delay it is annotated with.
/// A blocking call passes as a begin of request and a begin of response.
template <class Types>
class SocketObserver {
  public:
    virtual ~SocketObserver() = default;
    virtual void passed(const typename Types::tlm_payload_type& payload,
                        const typename Types::tlm_phase_type& phase,
                        const sc_core::sc_time& delay) = 0;
    /// The same, of a blocking call.
    virtual void passed_blocking(const typename Types::tlm_payload_type& payload,
                                 const typename Types::tlm_phase_type& phase,
                                 const sc_core::sc_time& delay) {
        passed(payload, phase, delay);
    }

  private:
    template <class>
    friend class InitiatorSocket;
    SocketObserver* next_ = nullptr;  ///< that observes the same socket
};

/// Initiator socket of a module: calls go out through operator->, what comes back is given to the
/// functions set here. A socket without a handler refuses the call as a broken rule of the model.
template <class Types>
class InitiatorSocket : public tlm::tlm_initiator_socket<32, Types>,
                        public tlm::tlm_bw_transport_if<Types>,
                        public OwnSocket {
  public:
    using Payload = typename Types::tlm_payload_type;
    using Phase = typename Types::tlm_phase_type;
    using Backward = std::function<tlm::tlm_sync_enum(Payload&, Phase&, sc_core::sc_time&)>;

    explicit InitiatorSocket(const char* name) : tlm::tlm_initiator_socket<32, Types>(name) {
        this->bind(*static_cast<tlm::tlm_bw_transport_if<Types>*>(this));
        on_backward = [socket = this](Payload&, Phase&, sc_core::sc_time&) {
            SC_REPORT_FATAL(socket->name(), "this initiator takes no non-blocking transport");
            return tlm::TLM_COMPLETED;
        };
    }
    using tlm::tlm_initiator_socket<32, Types>::bind;

    bool foreign() const override { return is_foreign(this->get_interface()); }

    /// From now on the observer is told of everything that passes, both ways.
    void observe(SocketObserver<Types>& observer) {
        tap_.target = Base::operator->();
        observer.next_ = tap_.observer;
        tap_.observer = &observer;
        way_ = &tap_;
        if (on_withdrawn) on_withdrawn();
    }
    bool observed() const { return tap_.observer != nullptr; }
    /// What the target grants that is bound to it. Null: it is not of this kind, or grants nothing,
    /// or an observer wants to see what passes.
    DirectFunction* direct_function() {
        auto* const own = dynamic_cast<OwnSocket*>(this->get_interface());
        return own != nullptr && tap_.observer == nullptr ? own->grant() : nullptr;
    }
    /// What the target heeds of flushes and invalidations: all, if it is not of this kind, or if an
    /// observer wants to see what passes.
    ControlBits heeded() {
        const auto* const own = dynamic_cast<const OwnSocket*>(this->get_interface());
        return own != nullptr && tap_.observer == nullptr ? own->heeds() : ~ControlBits{0};
    }
    tlm::tlm_fw_transport_if<Types>* operator->() {
        if (way_ == nullptr) [[unlikely]]
            way_ = Base::operator->();
        return way_;
    }

    Backward on_backward;                                             ///< nb_transport_bw
    std::function<void(std::uint64_t, std::uint64_t)> on_invalidate;  ///< invalidate_direct_mem_ptr
    /// What `direct_function` or `heeded` gave is not to be used any more.
    std::function<void()> on_withdrawn;

  private:
    using Base = tlm::tlm_initiator_socket<32, Types>;
    /// Stands before the target when there is an observer.
    struct Tap : tlm::tlm_fw_transport_if<Types> {
        tlm::tlm_fw_transport_if<Types>* target = nullptr;
        SocketObserver<Types>* observer = nullptr;  ///< the first
        [[gnu::noinline, gnu::cold]] void tell(const Payload& payload, const Phase& phase,
                                               const sc_core::sc_time& delay) {
            for (auto* each = observer; each; each = each->next_)
                each->passed(payload, phase, delay);
        }
        tlm::tlm_sync_enum nb_transport_fw(Payload& payload, Phase& phase,
                                           sc_core::sc_time& delay) override {
            tell(payload, phase, delay);
            const bool request = phase == tlm::BEGIN_REQ;
            const tlm::tlm_sync_enum status = target->nb_transport_fw(payload, phase, delay);
            if (status == tlm::TLM_UPDATED)
                tell(payload, phase, delay);
            else if (status == tlm::TLM_COMPLETED && request)
                tell(payload, tlm::BEGIN_RESP, delay);
            return status;
        }
        void b_transport(Payload& payload, sc_core::sc_time& delay) override {
            for (auto* each = observer; each; each = each->next_)
                each->passed_blocking(payload, tlm::BEGIN_REQ, delay);
            target->b_transport(payload, delay);
            for (auto* each = observer; each; each = each->next_)
                each->passed_blocking(payload, tlm::BEGIN_RESP, delay);
        }
        bool get_direct_mem_ptr(Payload& payload, tlm::tlm_dmi& dmi) override {
            return target->get_direct_mem_ptr(payload, dmi);
        }
        unsigned transport_dbg(Payload& payload) override { return target->transport_dbg(payload); }
    };

    tlm::tlm_sync_enum nb_transport_bw(Payload& payload, Phase& phase,
                                       sc_core::sc_time& delay) override {
        if (tap_.observer) [[unlikely]]
            tap_.tell(payload, phase, delay);
        return on_backward(payload, phase, delay);
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) override {
        if (on_invalidate) on_invalidate(start, end);
    }

    Tap tap_;
    /// To the target or the tap; null before the first call.
    tlm::tlm_fw_transport_if<Types>* way_ = nullptr;
};

/// Target socket of a module; see InitiatorSocket.
template <class Types>
class TargetSocket : public tlm::tlm_target_socket<32, Types>,
                     public tlm::tlm_fw_transport_if<Types>,
                     public OwnSocket {
  public:
    using Payload = typename Types::tlm_payload_type;
    using Phase = typename Types::tlm_phase_type;

    explicit TargetSocket(const char* name) : tlm::tlm_target_socket<32, Types>(name) {
        this->bind(*static_cast<tlm::tlm_fw_transport_if<Types>*>(this));
    }
    using tlm::tlm_target_socket<32, Types>::bind;

    bool foreign() const override { return is_foreign(this->m_port.get_interface()); }
    DirectFunction* grant() override { return direct; }

    DirectFunction* direct = nullptr;                              ///< the block's, if it has one
    std::function<void(Payload&, sc_core::sc_time&)> on_blocking;  ///< b_transport
    std::function<tlm::tlm_sync_enum(Payload&, Phase&, sc_core::sc_time&)>
        on_forward;                                          ///< nb_transport_fw
    std::function<bool(Payload&, tlm::tlm_dmi&)> on_direct;  ///< get_direct_mem_ptr
    std::function<unsigned(Payload&)> on_debug;              ///< transport_dbg

  private:
    void b_transport(Payload& payload, sc_core::sc_time& delay) override {
        if (!on_blocking)
            SC_REPORT_FATAL(this->name(), "this target takes no blocking transport");
        else
            on_blocking(payload, delay);
    }
    tlm::tlm_sync_enum nb_transport_fw(Payload& payload, Phase& phase,
                                       sc_core::sc_time& delay) override {
        if (!on_forward) {
            SC_REPORT_FATAL(this->name(), "this target takes no non-blocking transport");
            return tlm::TLM_COMPLETED;
        }
        return on_forward(payload, phase, delay);
    }
    bool get_direct_mem_ptr(Payload& payload, tlm::tlm_dmi& dmi) override {
        return on_direct && on_direct(payload, dmi);
    }
    unsigned transport_dbg(Payload& payload) override { return on_debug ? on_debug(payload) : 0; }
};

/// From now on the observer is told of what passes by the socket, if it is one of ours. False: it
/// is not.
template <class Types>
bool observe(AnyInitiator<Types>& socket, SocketObserver<Types>& observer) {
    auto* const own = dynamic_cast<InitiatorSocket<Types>*>(&socket);
    if (own != nullptr) own->observe(observer);
    return own != nullptr;
}

/// The sockets of an array, as an interface gives them; null where a pointer of it is.
template <class Socket, class Array>
std::vector<Socket*> every(Array& array) {
    std::vector<Socket*> sockets;
    for (auto& element : array)
        if constexpr (requires { element.get() == nullptr; })
            sockets.push_back(element.get());
        else
            sockets.push_back(&element);
    return sockets;
}

}  // namespace gen9
