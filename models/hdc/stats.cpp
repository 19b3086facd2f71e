// SPDX-License-Identifier: Apache-2.0
#include "hdc/stats.h"

namespace gen9::hdc {

void HdcStats::count(Shape shape, Operation operation) {
    const bool reads = operation == Operation::Read;
    switch (shape) {
        case Shape::ByteScattered:
        case Shape::DwordScattered:
        case Shape::A64Scattered:
            return ++(reads ? scattered_reads : scattered_writes);
        case Shape::Untyped:
            return ++(reads ? untyped_reads : untyped_writes);
        case Shape::OwordBlock:
        case Shape::DualBlock:
        case Shape::A64Block:
            return ++(reads ? block_reads : block_writes);
        case Shape::ScratchBlock:
            return ++(reads ? scratch_reads : scratch_writes);
        case Shape::Typed:
            return ++(reads ? typed_reads : typed_writes);
        case Shape::MediaBlock:
        case Shape::Transpose:
            return ++(reads ? media_reads : media_writes);
        case Shape::AtomicInt:
        case Shape::AtomicFloat:
        case Shape::A64AtomicInt:
        case Shape::A64AtomicFloat:
        case Shape::TypedAtomic:
        case Shape::AtomicCounter:
            return ++atomics;
        case Shape::Fence:
            return ++fences;
        case Shape::SurfaceInfo:
            return ++surface_infos;
    }
}

}  // namespace gen9::hdc
