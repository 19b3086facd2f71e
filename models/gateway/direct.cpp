// SPDX-License-Identifier: Apache-2.0
#include "gateway/direct.h"

#include "common/bits.h"
#include "gateway/module.h"

namespace gen9::gateway {

class DirectPort::BarrierSite final : public DirectSite {
  public:
    BarrierSite(Gateway& gateway, unsigned port, const SendForm& form, std::uint32_t ip,
                DirectAnswers& answers)
        : gateway_(gateway), port_(port), form_(form), ip_(ip), answers_(answers) {}

    bool run(const DirectSender& sender, std::uint32_t, const Grf* first, const Grf*,
             Grf*) override {
        Waiting call;
        call.sender = &sender.thread;
        call.port = static_cast<std::uint16_t>(port_);
        call.answers = &answers_;
        call.descriptor = form_.descriptor;
        call.extended_descriptor = form_.extended_descriptor;
        call.payload = *first;
        if (!gateway_.receive_direct(call, ip_)) return false;
        answers_.expect(sender.thread);
        return true;
    }

  private:
    Gateway& gateway_;
    const unsigned port_;
    const SendForm form_;
    const std::uint32_t ip_;
    DirectAnswers& answers_;
};

std::unique_ptr<DirectSite> DirectPort::site_at(const SendForm& form, std::uint32_t ip,
                                                DirectAnswers& sender) {
    const bool plain = form.length == 1 && form.first_length == 1 && form.response_length == 0 &&
                       !form.header_present && bits(form.descriptor, 16u, 3u) == 0;
    using Function = GatewayCore::Function;
    if (!plain || GatewayCore::function_of(form.descriptor, false) != Function::Barrier)
        return nullptr;
    return std::make_unique<BarrierSite>(gateway_, port_, form, ip, sender);
}

}  // namespace gen9::gateway
