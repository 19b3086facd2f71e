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
        if (!gateway_.takes_directly(*first)) return false;
        Message& message = gateway_.new_direct();
        message.sfid = Sfid::Gateway;
        message.descriptor = form_.descriptor;
        message.extended_descriptor = form_.extended_descriptor;
        message.length = message.first_length = 1;
        message.ip = sender.thread.state->instruction_base.value + ip_;
        message.sender = &sender.thread;
        message.status = MessageStatus::Pending;
        message.notifications = 0;
        message.given_back = false;
        message.payload[0] = *first;
        answers_.expect(sender.thread);
        gateway_.receive_direct(port_, message, answers_);
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
