#include "sc_main/command.h"
namespace gen9::program {
int disasm_command(const Arguments&) {
    return 0;
}
}  // namespace gen9::program
