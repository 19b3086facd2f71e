// SPDX-License-Identifier: Apache-2.0
#include "platform/host/drm/library/process/process_maps.h"

#include <sys/mman.h>
#include <sys/sysmacros.h>

#include <climits>
#include <cstdio>

#include "platform/host/drm/library/process/real.h"

namespace gen9::drm {

bool for_each_mapped_range(const std::function<bool(const MappedRange&)>& visit) {
    FILE* maps = real().fopen("/proc/self/maps", "re");
    if (!maps) return false;
    constexpr std::size_t kNumbers = 128;  // in front of the name
    char line[kNumbers + PATH_MAX];
    for (bool more = true; more && std::fgets(line, sizeof line, maps);) {
        unsigned long begin = 0, end = 0, offset = 0, inode = 0;
        unsigned major = 0, minor = 0;
        char access[5] = "";
        int name = 0;
        if (std::sscanf(line, "%lx-%lx %4s %lx %x:%x %lu %n", &begin, &end, access, &offset, &major,
                        &minor, &inode, &name) != 7)
            continue;
        MappedRange range{
            begin, end,        PROT_NONE, access[3] == 's', offset, makedev(major, minor),
            inode, line + name};
        if (access[0] == 'r') range.protection |= PROT_READ;
        if (access[1] == 'w') range.protection |= PROT_WRITE;
        if (access[2] == 'x') range.protection |= PROT_EXEC;
        more = visit(range);
    }
    real().fclose(maps);
    return true;
}

}  // namespace gen9::drm
