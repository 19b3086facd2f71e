// SPDX-License-Identifier: Apache-2.0
// One step of a breadth-first search: the nodes of this level give the next one to their neighbours
// that have none yet. Several may do so, and write the same.
kernel void bfs_step(global const int* first_edge, global const int* edges, global int* levels, global int* changed, int level) {
    const int node = get_global_id(0);
    if (levels[node] != level) return;
    for (int e = first_edge[node]; e < first_edge[node + 1]; ++e)
        if (levels[edges[e]] < 0) {
            levels[edges[e]] = level + 1;
            *changed = level + 1;
        }
}
