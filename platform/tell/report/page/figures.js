"use strict";
// What the statistics say, in the form that the charts take. A member that is missing stays undefined, and its chart is left out.

const USES = [
    ["busy", "a unit is occupied", "#2a9d5c"],
    ["message", "waits for a message", "#e76f51"],
    ["scoreboard", "waits for its own result", "#f4a261"],
    ["barrier", "waits for a barrier", "#8e5ea2"],
    ["send_queue", "waits for a queue's room", "#b5483a"],
    ["fetch", "waits for instructions", "#3d7ea6"],
    ["dependency", "waits for another thread", "#c9a227"],
    ["branch", "after flow control", "#7fb3d5"],
    ["switch", "after a thread switch", "#a3c4bc"],
    ["pipe", "after another instruction", "#c5d86d"],
    ["no_thread", "no thread is loaded", "#ccd3da"],
].map(([key, text, color]) => ({key, text, color}));

const SPAWNER = {
    sending: "threads are sent", front_end: "commands and descriptors are read", wait_urb: "no URB entry is free",
    wait_slot: "all thread slots are taken", wait_registers: "all registers are taken",
    wait_slm: "no shared local memory is free", wait_barrier: "no barrier is free",
    wait_handshake: "a barrier is set up", wait_payload: "registers are loaded", wait_drain: "earlier threads must end",
    wait_scoreboard: "a thread depends on another", wait_spawn: "nobody calls for the thread", wait_fence: "a fence is held",
    tail: "all threads are sent (tail)",
};
const CLIENTS = {
    data_port: "data port", sampler: "sampler", constant: "constants", instruction: "instructions", state: "state",
    urb: "URB", other: "others",
};
const LEVELS = [
    {key: "slm", text: "SLM", color: "#8e5ea2"}, {key: "l3", text: "L3", color: "#2a9d5c"},
    {key: "gti", text: "GTI", color: "#3d7ea6"}, {key: "dram", text: "DRAM", color: "#e76f51"},
];

/// Adds the numbers of `b` to those of `a`, member by member.
function add(a, b) {
    for (const key in b) {
        const value = b[key];
        if (typeof value === "number") a[key] = (a[key] || 0) + value;
        else if (typeof value === "object" && value !== null)
            a[key] = add(a[key] || (Array.isArray(value) ? [] : {}), value);
    }
    return a;
}

/// Figures of launches, [number of the shape, values], added up. A shape is an object with a 0 for each value. Values of one
/// shape are added without names: there may be thousands of launches.
function sumPacked(launches, member, shapes, weight = () => 1) {
    const sums = new Map();
    for (const launch of launches) {
        const packed = launch[member], factor = weight(launch), sum = sums.get(packed[0]);
        if (!sum) sums.set(packed[0], packed.map(value => typeof value === "number" ? factor * value : add([], value)));
        else for (let i = 1; i < packed.length; ++i)
            if (typeof packed[i] === "number") sum[i] += factor * packed[i];
            else add(sum[i], packed[i]);
    }
    const all = {};
    for (const [shape, sum] of sums) {
        let at = 1;
        const fill = part => part === 0 ? sum[at++] : Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, fill(inner)]));
        add(all, fill(shapes[shape]));
    }
    return all;
}

const SUMMED = ["cycles", "instructions", "messages", "threads", "l3_hits", "l3_misses", "l3_bytes", "slm_bytes"];

/// Launches added up; queues are means, weighted by cycles.
function together(launches, shapes) {
    const sum = {launches: launches.length, unfinished: 0};
    for (const launch of launches) {
        for (const key of SUMMED) if (launch[key] !== undefined) sum[key] = (sum[key] || 0) + launch[key];
        if (!launch.finished) ++sum.unfinished;
    }
    Object.assign(sum, sumPacked(launches, "sums", shapes), sumPacked(launches, "means", shapes, launch => (launch.cycles || 0) / (sum.cycles || 1)));
    return sum;
}

/// The counters of a run by their full names.
function flat(tree, prefix = "", into = []) {
    for (const [key, value] of Object.entries(tree))
        if (typeof value === "object") flat(value, prefix + key + ".", into);
        else into.push([prefix + key, value]);
    return into;
}

const COUNTED_USES = {busy: "busy", idle: "no_thread", stall_scoreboard: "scoreboard", stall_message: "message", stall_barrier: "barrier",
    stall_dependency: "dependency", stall_fetch: "fetch", stall_send_queue: "send_queue", stall_branch: "branch", stall_switch: "switch",
    stall_pipe: "pipe"};

/// Each EU's counters, with its place.
function unitsOf(counters) {
    const units = [];
    for (const [slice, subslices] of Object.entries(counters.gpu || {}).filter(([name]) => /^slice\d+$/.test(name)))
        for (const [subslice, blocks] of Object.entries(subslices).filter(([name]) => /^subslice\d+$/.test(name)))
            for (const [eu, stats] of Object.entries(blocks).filter(([name]) => /^eu\d+$/.test(name)))
                units.push({slice, subslice, eu, stats});
    return units;
}

/// What the machine's counters say of the whole run: accounts for every cycle, in launches and outside.
function machineFigures(statistics) {
    const counters = flat(statistics.counters || {});
    const sum = pattern => counters.reduce((total, [name, value]) => pattern.test(name) ? total + value : total, 0);
    const has = pattern => counters.some(([name]) => pattern.test(name));
    const figures = {cycles: statistics.totals.engine_cycles, instructions: statistics.totals.instructions};
    if (has(/\.eu\d+\.busy$/)) {
        figures.eu = {cycles: {}};
        for (const [counter, use] of Object.entries(COUNTED_USES)) figures.eu.cycles[use] = sum(new RegExp(`\\.eu\\d+\\.${counter}$`));
    }
    const level = (accesses, hits, bytes) => ({accesses, hits, bytes});
    if (has(/\.dram\.read_bytes$/)) {
        const hits = sum(/l3\.bank\d+\.hits$/), lookups = hits + sum(/l3\.bank\d+\.misses$/);
        const fetches = sum(/icache\.(hits|misses|joined)$/), texels = sum(/sampler\.lookups$/);
        const llc = sum(/llc\.read_hits$/), ringBytes = 64 * (sum(/gti\.reads$/) + sum(/gti\.writes$/));
        figures.memory = {
            total: {l3: level(lookups, hits, sum(/l3\.bank\d+\.bytes_(read|written)$/)),
                    llc: level(llc + sum(/llc\.read_misses$/), llc, ringBytes)},
            clients: {data_port: {l3: {bytes: sum(/hdc\.l3_bytes$/)}},
                      instruction: {cache: level(fetches, fetches - sum(/icache\.misses$/), 64 * fetches),
                                    l3: {bytes: 64 * sum(/icache\.misses$/)}}},
            slm: {accesses: sum(/slm\.(reads|writes|atomics)$/), bytes: sum(/slm\.bytes$/), conflict_cycles: sum(/slm\.conflict_cycles$/)},
            gti: {read_bytes: 64 * sum(/gti\.reads$/), written_bytes: 64 * sum(/gti\.writes$/)},
            dram: {read_bytes: sum(/dram\.read_bytes$/), written_bytes: sum(/dram\.written_bytes$/)},
        };
        if (texels)
            figures.memory.clients.sampler = {cache: level(texels, texels - sum(/sampler\.misses$/), 64 * texels),
                                              l3: {bytes: 64 * sum(/sampler\.misses$/)}};
    }
    return figures;
}

/// Of a run in which some launches, or groups of launches, were timed: does its totals count this one?
const counted = launch => launch.timing === undefined || launch.timing === "timed" || launch.timing === "sampled";
/// Those of launches that count, or all if none does.
function countedOf(launches) {
    const some = launches.filter(counted);
    return some.length ? some : launches;
}

/// The kernels of a run: launches of one name, program, start and width.
function kernelsOf(statistics) {
    const kernels = new Map();
    statistics.kernels.forEach((launch, index) => {
        if (launch.number === undefined) launch.number = index;
        const key = [launch.name || "", launch.program === undefined ? "" : launch.program, launch.kernel_start, launch.simd_width].join(" ");
        let kernel = kernels.get(key);
        if (!kernel) kernels.set(key, kernel = {key, name: launch.name || launch.kernel_start, start: launch.kernel_start,
                                                width: launch.simd_width, all: []});
        kernel.all.push(launch);
    });
    // Kernels of one name are told apart by what differs.
    const named = d3.group([...kernels.values()], kernel => kernel.name);
    for (const same of named.values()) {
        const differs = of => new Set(same.map(of)).size > 1;
        const [program, width, start] = [k => k.all[0].program, k => k.width, k => k.start].map(differs);
        for (const kernel of same) {
            const words = [program && `program ${kernel.all[0].program}`, width && `SIMD${kernel.width}`, start && !program && !width && kernel.start];
            if (same.length > 1) kernel.name += ` (${words.filter(Boolean).join(", ")})`;
        }
    }
    return [...kernels.values()].map(kernel => {
        kernel.weight = d3.sum(kernel.all, launch => statistics.timing === "functional" ? launch.instructions : counted(launch) ? launch.cycles || 0 : 0);
        // Added up when it is looked at, for there may be thousands.
        let sum;
        Object.defineProperty(kernel, "figures", {get: () => sum = sum || together(countedOf(kernel.all), statistics.shapes)});
        return kernel;
    }).sort((a, b) => b.weight - a.weight);
}

const totalOf = uses => d3.sum(Object.values(uses));
const bytesOf = traffic => traffic.read_bytes + traffic.written_bytes;

/// Bytes at a level of the memory; undefined when they are not known.
function bytesAt(figures, level) {
    const memory = figures.memory;
    if (!memory) return undefined;
    if (level === "slm") return memory.slm && memory.slm.bytes;
    if (level === "gti" || level === "dram") return memory[level] && bytesOf(memory[level]);
    if (memory.total) return memory.total[level].bytes;
    return d3.sum(Object.values(memory.clients), client => client[level] ? client[level].bytes : 0);
}

function levelOf(memory, level) {
    if (memory.total && memory.total[level]) return memory.total[level];
    const sum = {accesses: 0, hits: 0, bytes: 0};
    for (const client of Object.values(memory.clients)) if (client[level]) add(sum, client[level]);
    return sum;
}

/// The whole run: what launches and the rest add up to where they say it, else what the machine's counters say.
function wholeRun(statistics) {
    if (statistics.timing === "mixed") return together(countedOf(statistics.kernels), statistics.shapes);
    const figures = machineFigures(statistics);
    if (!statistics.outside) return figures;
    const {eu, memory, latency} = add(sumPacked(statistics.kernels, "sums", statistics.shapes), statistics.outside);
    return Object.assign(figures, {eu, memory, latency});
}

const plural = (n, word, ending = "s") => `${count(n)} ${word}${n === 1 ? "" : ending}`;
const percent = (part, whole) => whole ? 100 * part / whole : 0;
const percentText = value => value > 0 && value < 0.05 ? "< 0.1 %" : (value >= 10 || value === 0 ? value.toFixed(0) : value.toFixed(1)) + " %";
const count = value => value === undefined ? "" : value.toLocaleString("en-US");
function short(value) {
    for (const [limit, unit] of [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e4, "k"]])
        if (value >= limit) return (value / (unit === "k" ? 1e3 : limit)).toFixed(1) + " " + unit;
    return Number.isInteger(value) ? String(value) : value.toFixed(1);
}
function bytesText(value) {
    let unit = 0;
    for (; value >= 10240 && unit < 4; ++unit) value /= 1024;
    return (unit ? value.toFixed(value < 100 ? 1 : 0) : count(Math.round(value))) + [" B", " KiB", " MiB", " GiB", " TiB"][unit];
}
const timeText = us => us >= 1e6 ? (us / 1e6).toFixed(2) + " s" : us >= 1e3 ? (us / 1e3).toFixed(2) + " ms" : us.toFixed(2) + " µs";
