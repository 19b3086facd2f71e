// SPDX-License-Identifier: Apache-2.0
// Breadth-first search: the host goes on until a step has changed nothing, so what it submits
// depends on what the device computes.
#include <deque>

#include "../opencl_program.h"

int main() {
    constexpr std::size_t kNodes = 1024, kEdgesOfNode = 2;
    Numbers numbers(7);
    std::vector<int> first_edge, edges;
    for (std::size_t node = 0; node < kNodes; ++node) {
        first_edge.push_back(static_cast<int>(edges.size()));
        for (std::size_t edge = 0; edge < kEdgesOfNode; ++edge)
            edges.push_back(static_cast<int>(numbers.below(kNodes)));
    }
    first_edge.push_back(static_cast<int>(edges.size()));
    std::vector<int> levels(kNodes, -1);
    levels[0] = 0;

    OpenClProgram program("bfs.cl");
    const cl_mem firsts = program.buffer(first_edge), ends = program.buffer(edges),
                 found = program.buffer(levels), changed = program.buffer(std::vector<int>{0});
    const cl_kernel kernel = program.kernel("bfs_step");
    int level = 0;
    for (bool more = true; more; ++level) {
        program.arguments(kernel, firsts, ends, found, changed, level);
        program.run(kernel, {kNodes});
        more = program.read<int>(changed, 1)[0] == level + 1;
    }

    std::deque<int> nodes = {0};
    int deepest = 0;
    for (; !nodes.empty(); nodes.pop_front())
        for (int e = first_edge[nodes[0]]; e < first_edge[nodes[0] + 1]; ++e)
            if (levels[edges[e]] < 0) {
                deepest = levels[edges[e]] = levels[nodes[0]] + 1;
                nodes.push_back(edges[e]);
            }
    Verdict verdict;
    const auto result = program.read<int>(found, kNodes);
    for (std::size_t node = 0; node < kNodes; ++node)
        verdict.equal(result[node], levels[node], node);
    verdict.equal(level, deepest + 1, 0, "steps");
    return verdict.finish("bfs");
}
