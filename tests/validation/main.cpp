// SPDX-License-Identifier: Apache-2.0
// Programs that were measured on silicon (rows.toml says which, and with what result).
//   validation [-DNAME]... PROGRAM SIZE...     -DNAME: for the kernels' compiler
#include <map>

#include "validation.h"

int main(int argc, char** argv) {
    struct Program {
        void (*run)(const Sizes&);
        std::size_t sizes;
    };
    const std::map<std::string, Program> programs = {
        {"coulomb", {coulomb, 2}},
        {"bodies", {bodies, 2}},
        {"md5", {md5, 2}},
        {"blake2b", {blake2b, 1}},
        {"arithmetic", {arithmetic, 1}},
        {"blowfish", {blowfish, 1}},
        {"blocked", {blocked, 2}},
        {"lu", {lu, 2}},
        {"by_rows", {by_rows, 3}},
        {"by_columns", {by_columns, 2}},
        {"rows", {rows, 2}},
        {"bitonic", {bitonic, 1}},
        {"atomics", {atomics, 1}},
        {"updates", {updates, 2}},
        {"arrays", {arrays, 2}},
        {"wave", {wave, 1}},
        {"lookups", {lookups, 2}},
        {"copies", {copies, 1}},
        {"lattice", {lattice, 2}},
        {"lattice_custom", {lattice_custom, 1}},
        {"changes", {changes, 1}},
        {"textures", {textures, 3}},
        {"changed_images", {changed_images, 1}},
        {"halved_images", {halved_images, 1}},
        {"chains", {chains, 1}},
        {"faces", {faces, 1}},
        {"noises", {noises, 1}},
        {"resonances", {resonances, 1}},
        {"heat", {heat, 1}},
        {"strings", {strings, 1}},
        {"periods", {periods, 2}},
        {"rings", {rings, 1}},
        {"pool", {pool, 1}},
        {"links", {links, 1}},
        {"keys", {keys, 2}},
        {"strips", {strips, 1}},
        {"flights", {flights, 1}},
        {"softmax", {softmax, 2}},
        {"thomas", {thomas, 1}},
        {"curve", {curve, 1}},
        {"loads_of_memory", {loads_of_memory, 1}},
        {"loads_of_texel_buffers", {loads_of_texel_buffers, 1}},
        {"loads_of_texels", {loads_of_texels, 1}}};
    for (; argc > 1 && argv[1][0] == '-'; --argc, ++argv)
        Measured::more_options += std::string(" ") + argv[1];
    const auto found = programs.find(argc > 1 ? argv[1] : "");
    std::string names;
    for (const auto& [name, program] : programs)
        names += " " + name;
    if (found == programs.end())
        OpenClProgram::fail("usage: validation [-DNAME]... PROGRAM SIZE..., PROGRAM one of" +
                            names);
    Sizes sizes;
    for (int i = 2; i < argc; ++i) {
        const unsigned long long size = std::strtoull(argv[i], nullptr, 10);
        if (size == 0 || size > 1u << 26)
            OpenClProgram::fail(std::string("size ") + argv[i] + ": 1 to 67108864 is allowed");
        sizes.push_back(size);
    }
    if (sizes.size() != found->second.sizes)
        OpenClProgram::fail("validation " + found->first + " takes " +
                            std::to_string(found->second.sizes) + " sizes");
    found->second.run(sizes);
}
