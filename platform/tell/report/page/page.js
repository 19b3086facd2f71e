"use strict";
// The page: what was run, the kernels by time, and all that is known of the one that is chosen.

const statistics = JSON.parse(document.getElementById("statistics").textContent);
const machine = statistics.run.machine, timed = statistics.timing !== "functional", mixed = statistics.timing === "mixed";
const kernels = kernelsOf(statistics), units = unitsOf(statistics.counters || {});
const run = wholeRun(statistics);
const series = statistics.over_time;
const usPerCycle = 1e6 / statistics.clock_hz;
let chosen, chosenLaunch;

function head() {
    const element = d3.select("#head"), {run: what, totals} = statistics;
    element.append("h1").text([what.command, ...what.program].join(" "));
    element.append("p").text(`${what.device}, ${statistics.timing} mode, ${(statistics.clock_hz / 1e6).toFixed(0)} MHz; ` +
        `gen9sim ${what.model.version} (${what.model.revision})` + (what.host ? `; ${what.host.started}, ${what.host.simulation_seconds.toFixed(2)} s of host time` : ""));
    if (what.settings.length) {
        const details = element.append("details");
        details.append("summary").text(`${what.settings.length} settings differ from the product's`);
        const rows = details.append("table").selectAll("tr").data(what.settings).enter().append("tr");
        rows.append("td").attr("class", "code").text(s => s.name);
        rows.append("td").text(s => `${s.value} ${s.unit}`);
        rows.append("td").text(s => `product: ${s.product}`);
    }
    const wrong = [[totals.guest_errors, "guest error"], [totals.hangs, "hang"], [totals.not_modelled, "use", "s", "of what is not modelled"],
                   [totals.unfinished, "launch", "es", "cut off by a stop"]].filter(([n]) => n);
    if (wrong.length)
        element.append("p").attr("class", "wrong").text(wrong.map(([n, word, ending, more]) => [plural(n, word, ending), more].filter(Boolean).join(" ")).join(", "));
    document.title = `gen9sim: ${what.program.map(word => word.split("/").pop()).join(" ")}`;
}

function kernelList() {
    const element = d3.select("#kernels");
    element.append("button").text("Whole run").on("click", () => choose());
    element.append("h2").text(`${plural(kernels.length, "kernel")}, ${plural(statistics.totals.kernels, "launch", "es")}, by ${timed ? "time" : "instructions"}`);
    if (!kernels.length) return;
    const most = kernels[0].weight;
    kernelList.draw = table(element, kernels, [
        {title: "kernel", text: k => k.name, order: k => k.name},
        {title: "", width: 60, draw: (cell, k) => cellBar(cell, [{value: k.weight, color: "#0b6fb8"}], most, 60), order: k => k.weight},
        {title: timed ? "cycles" : "instr.", width: 66, text: k => short(k.weight), number: true, order: k => k.weight},
        {title: "launches", width: 78, text: k => count(k.all.length), number: true, order: k => k.all.length},
    ], {height: 330, pick: k => choose(k), chosen: k => k === chosen, title: k => `${k.name}, SIMD${k.width}, at ${k.start}`});
}

function launchList() {
    const element = d3.select("#launches");
    element.selectAll("*").remove();
    if (!chosen || chosen.all.length < 2) return;
    element.append("h2").text("Launches");
    element.append("button").text("All together").on("click", () => choose(chosen));
    launchList.draw = table(element, chosen.all, [
        {title: "launch", width: 60, text: l => l.number, number: true, order: l => l.number},
        {title: "groups", text: l => l.groups.join(" × "), order: l => l.threads},
        {title: timed ? "cycles" : "instr.", width: 74, text: l => timed && l.cycles === undefined ? "not timed" : count(timed ? l.cycles : l.instructions), number: true, order: l => timed ? l.cycles : l.instructions},
        {title: "IPC", width: 50, text: l => timed && l.cycles ? (l.instructions / l.cycles).toFixed(2) : "", number: true, order: l => l.instructions / l.cycles},
    ], {height: 330, pick: l => choose(chosen, l), chosen: l => l === chosenLaunch});
}

function tiles(element, figures) {
    const entries = [["EU instructions", short(figures.instructions)]];
    if (figures.launches !== undefined) entries.unshift(["launches", count(figures.launches)], ["threads", short(figures.threads)]);
    if (timed && figures.cycles !== undefined) {
        entries.push(["cycles", short(figures.cycles)], ["time", timeText(figures.cycles * usPerCycle)]);
        if (figures.cycles) entries.push(["instructions a cycle", (figures.instructions / figures.cycles).toFixed(2)]);
        if (figures.eu && figures.eu.lanes_possible) entries.push(["lanes in use", percentText(percent(figures.eu.lanes_active, figures.eu.lanes_possible))]);
        if (figures.l3_hits !== undefined) entries.push(["L3 hits", percentText(percent(figures.l3_hits, figures.l3_hits + figures.l3_misses))]);
    }
    if (figures.l3_bytes !== undefined) entries.push(["channels' bytes in L3", bytesText(figures.l3_bytes)], ["channels' bytes in SLM", bytesText(figures.slm_bytes)]);
    const tile = element.append("div").attr("class", "tiles").selectAll("div").data(entries).enter().append("div").attr("class", "tile");
    tile.append("b").text(e => e[1]);
    tile.append("span").text(e => e[0]);
}

const windowOf = launch => [launch.begin_cycle, launch.begin_cycle + launch.cycles];
const point = (text, figures) => ({text, cycles: figures.cycles, work: figures.eu.lanes_active,
                                   bytes: Object.fromEntries(LEVELS.map(l => [l.key, bytesAt(figures, l.key)]))});

function show() {
    const main = d3.select("#main");
    main.selectAll("*").remove();
    const whole = !chosen;
    const figures = chosenLaunch ? together([chosenLaunch], statistics.shapes) : chosen ? chosen.figures : run;
    const code = (statistics.code || []).filter(c => whole || (c.kernel_start === chosen.start && c.simd_width === chosen.width &&
        (!chosenLaunch || c.launches.includes(chosenLaunch.number))));
    const missing = [];
    const section = (title, ready, reason, draw, parent = main) => {
        if (!ready) return reason && missing.push(`${title}: ${reason}`);
        const element = parent.append("section");
        element.append("h3").text(title);
        draw(element);
    };
    main.append("h2").text(whole ? "Whole run" : `${chosen.name}, SIMD${chosen.width}` + (chosenLaunch ? `, launch ${chosenLaunch.number}` : ""));
    if (!whole) main.append("p").attr("class", "note").text(describe(chosenLaunch ? [chosenLaunch] : chosen.all));
    if (mixed && whole) main.append("p").attr("class", "note").text(mixtureText());
    tiles(main, figures);
    const old = mixed && !figures.eu ? "not known of launches that were not timed, or of which groups were sampled"
        : whole ? "the statistics do not say it" : "the statistics say it of the whole run only";
    const uses = figures.eu && figures.eu.cycles;
    const causes = causesOf(figures, code);
    section("Largest causes of lost time", causes.length, timed && old, element => {
        const items = element.append("ol").attr("class", "causes").selectAll("li").data(causes).enter().append("li").text(c => c.text);
        items.selectAll("div").data(c => c.instructions).enter().append("div").attr("class", "code").text(i => `0x${i.offset.toString(16)}: ${i.text}`);
    });
    section(whole ? "Where the EU cycles of the run went" : "Where the EU cycles went", uses, timed && old,
            element => stackedBar(element, usesParts(uses), "EU cycles"));
    section("EUs and threads over time", series && series.rows.length && !mixed && (whole || chosenLaunch || chosen.all.length === 1),
            timed && !mixed && (series ? "choose a launch" : "the statistics do not say it"),
            element => overTime(element, series, machine, whole ? undefined : windowOf(chosenLaunch || chosen.all[0])));
    const pair = main.append("div").attr("class", "pair");
    section("Speed of light", timed && machine && (figures.eu || figures.memory), timed && (machine ? old : "the statistics do not say the machine's limits"),
            element => speedOfLight(element, figures, machine), pair);
    if (mixed && figures.cycles === undefined) main.append("p").attr("class", "note").text("Not timed: these launches ran in functional mode.");
    const known = (whole ? kernels.slice(0, 40).map(k => [k.name, k.figures]) : [[chosen.name, figures]])
        .filter(([, f]) => f.eu && f.eu.lanes_active !== undefined && f.memory && f.cycles).map(([name, f]) => point(name, f));
    section("Roofline", timed && machine && known.length, timed && "work and bytes by kernel are not in the statistics", element => roofline(element, known, machine), pair);
    section("Memory", timed && figures.memory, timed && old, element => memoryFlow(element, figures.memory));
    section("Why there are no more threads", figures.occupancy && totalOf(figures.occupancy.spawner) > 0, timed && !whole && old, element => {
        element.append("p").attr("class", "note").text(`${percentText(percent(figures.occupancy.thread_cycles, figures.occupancy.possible))} of the thread slots are taken on average.`);
        bars(element, Object.entries(figures.occupancy.spawner).sort((a, b) => b[1] - a[1]).map(([key, value]) =>
            ({text: SPAWNER[key] || key, value, color: "#c9a227", note: percentText(percent(value, totalOf(figures.occupancy.spawner)))})), {form: n => short(n) + " cycles"});
    });
    section("Latency of messages, in cycles", figures.latency && Object.keys(figures.latency).length, timed && !whole && old, element => latencies(element, figures.latency));
    section("Messages at the shared functions", figures.queues, "", element =>
        bars(element, Object.entries(figures.queues).map(([port, mean]) => ({text: port.replace(/_/g, " "), value: mean.in_flight, color: "#3d7ea6",
            note: `in flight on average, ${mean.waiting.toFixed(2)} of them queued`})), {form: n => n.toFixed(2), left: 130, right: 340}));
    section("EUs", whole && timed && !mixed && units.length, "", element => heat(element.append("div"), units));
    section("Instructions", code.length, timed && "the statistics have no executions by address", element => {
        element.append("p").attr("class", "note").text("How often each was executed, the lanes that were enabled on average, and the EU cycles spent at it. A click on a column sorts by it." +
            (chosenLaunch && code.some(c => c.launches.length > 1) ? " The figures are of all launches of this kernel." : "") +
            (mixed ? " They are of what ran in timed mode, to warm the caches too." : ""));
        code.some(c => c.instructions.some(i => i.line)) ? sourceAndInstructions(element, code) : instructionTable(element, code);
        legend(element, USES.filter(use => code.some(c => c.instructions.some(i => i.cycles[use.key]))));
    });
    if (!timed) main.append("p").attr("class", "note").text("Functional mode has no cycles: what depends on time is left out. Timed mode (the default) shows it.");
    if (missing.length) {
        const note = main.append("section");
        note.append("h3").text("Left out");
        note.selectAll("p").data(missing).enter().append("p").attr("class", "note").text(text => text + ".");
    }
    if (statistics.no_effect.length && whole)
        section("Asked for, without effect in the model", true, "", element =>
            element.append("table").selectAll("tr").data(statistics.no_effect).enter().append("tr").attr("class", "note").text(e => `${e.name}: ${e.reason}`));
}

/// Of a run whose launches were not all timed: which are shown.
function mixtureText() {
    const n = d3.rollup(statistics.kernels, all => all.length, launch => launch.timing);
    const parts = [["timed", "timed"], ["sampled", "timed in part (their cycles are estimates)"], ["warming", "to warm the caches"], ["functional", "in functional mode"]]
        .filter(([timing]) => n.get(timing)).map(([timing, text]) => `${count(n.get(timing))} ${text}`);
    return `Of ${plural(statistics.kernels.length, "launch", "es")}: ${parts.join(", ")}. The figures are of those timed, wholly or in part.`;
}

/// What is known of launches beside their figures. Of several, what they have in common.
function describe(launches) {
    const size = dimensions => dimensions.join(" × ");
    const common = of => {
        const values = new Set(launches.map(launch => of(launch)));
        return values.size === 1 ? [...values][0] : undefined;
    };
    const parts = [`starts at ${launches[0].kernel_start}`], say = (value, text) => value !== undefined && parts.push(text(value));
    say(common(l => l.global_size && size(l.global_size) + " work items" + (l.local_size ? ` in groups of ${size(l.local_size)}` : "")), text => text);
    say(common(l => size(l.groups)), text => text + " groups");
    say(common(l => l.build_options || undefined), options => `built with ${options}`);
    say(common(l => l.context), number => `context ${number}`);
    say(common(l => l.queue), number => `queue ${number}`);
    say(common(l => l.event), number => `enqueue ${number} of the process`);
    say(common(l => l.sample && `${count(l.sample.groups)} groups timed: ${count(l.cycles)} cycles, give or take ${count(l.sample.margin)}`), text => text);
    if (launches[0].name === undefined) parts.push("its name is not known (kernels of the driver itself, captures, programs of Mesa)");
    return parts.join("; ");
}

function choose(kernel, launch) {
    const other = kernel !== chosen;
    chosen = kernel;
    chosenLaunch = launch;
    if (other || !launchList.draw) launchList();
    else if (launchList.draw && chosen) launchList.draw();
    if (kernelList.draw) kernelList.draw();
    show();
    // So that a link leads to what is shown.
    history.replaceState(null, "", "#" + (kernel ? kernels.indexOf(kernel) + (launch ? "." + kernel.all.indexOf(launch) : "") : ""));
}

head();
kernelList();
const [kernelAt, launchAt] = location.hash.slice(1).split(".");
const linked = kernelAt ? kernels[kernelAt] : undefined;
choose(linked, linked && launchAt ? linked.all[launchAt] : undefined);
// How long it took, in milliseconds since the page was asked for.
document.getElementById("head").dataset.drawn = Math.round(performance.now());
