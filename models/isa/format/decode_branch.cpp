// SPDX-License-Identifier: Apache-2.0
#include "isa/format/decoder.h"
#include "isa/types.h"

namespace gen9::isa {

/// jmpi, call and calla: an immediate second source is the offset itself.
bool Decoder::jip_of_second_source() {
    inst_.jip_from_register = inst_.src[1].file != RegFile::Imm;
    if (inst_.jip_from_register) return true;
    if (size_bytes(inst_.src[1].type) != 4) return fail("offset is not 32 bits");
    inst_.jip = static_cast<std::int32_t>(get(field::Jip));
    inst_.src[1].immediate = 0;
    return true;
}

bool Decoder::jmpi() {
    Operand ip;
    ip.file = RegFile::Arf;
    ip.reg = static_cast<std::uint8_t>(static_cast<unsigned>(Arf::Ip) << 4);
    ip.type = Type::D;
    ip.vert_stride = 0;
    inst_.dst = inst_.src[0] = ip;
    inst_.dst.horz_stride = 1;
    inst_.source_count = 2;
    if (!source(1, field::Src1, true)) return false;
    return jip_of_second_source();
}

bool Decoder::branch_register(bool pair) {
    inst_.jip_from_register = get(field::Src0.reg_file) != static_cast<std::uint64_t>(RegFile::Imm);
    if (inst_.jip_from_register) {
        inst_.source_count = 1;
        return source(0, field::Src0, false);
    }
    inst_.jip = static_cast<std::int32_t>(get(field::Jip));
    if (pair) inst_.uip = static_cast<std::int32_t>(get(field::Uip));
    return true;
}

bool Decoder::call() {
    inst_.source_count = 2;
    if (!destination() || !source(1, field::Src1, true)) return false;
    return jip_of_second_source();
}

bool Decoder::ret() {
    inst_.source_count = 1;
    return source(0, field::Src0, false);
}

}  // namespace gen9::isa
