"use strict";
// Charts. Each draws into the element that it is given; widths follow the element's.

const widthOf = element => Math.max(280, element.node().clientWidth);
const clipText = (text, n) => text.length > n ? text.slice(0, n - 1) + "…" : text;

function legend(element, entries) {
    const spans = element.append("div").attr("class", "legend").selectAll("span").data(entries).enter().append("span");
    spans.append("i").style("background", d => d.color);
    spans.append("span").text(d => d.text);
}

/// The fill of text on a color: white on dark ones, or the usual.
const inkOn = color => d3.lab(color).l < 55 ? "#fff" : null;

/// One bar of parts {text, value, color}.
function stackedBar(element, parts, unit) {
    const total = d3.sum(parts, p => p.value), width = widthOf(element);
    parts = parts.filter(p => p.value > 0);
    const x = d3.scaleLinear().domain([0, total || 1]).range([0, width]);
    let from = 0;
    const groups = element.append("svg").attr("width", width).attr("height", 30).selectAll("g").data(parts).enter().append("g")
        .attr("transform", p => { const at = x(from); from += p.value; return `translate(${at},0)`; });
    groups.append("rect").attr("width", p => Math.max(0.5, x(p.value) - 1)).attr("height", 28).attr("fill", p => p.color)
        .append("title").text(p => `${p.text}: ${count(p.value)} ${unit} (${percentText(percent(p.value, total))})`);
    groups.filter(p => x(p.value) > 38).append("text").attr("x", p => x(p.value) / 2).attr("y", 19).attr("text-anchor", "middle")
        .style("pointer-events", "none").style("fill", p => inkOn(p.color)).text(p => percentText(percent(p.value, total)));
    legend(element, parts.map(p => ({color: p.color, text: `${p.text} ${percentText(percent(p.value, total))}`})));
}

const usesParts = uses => USES.map(use => ({text: use.text, color: use.color, value: uses[use.key] || 0}));

/// Bars of {text, value, color, note}, from 0 to `top` or the largest.
function bars(element, rows, {top, form = percentText, left = 230, right = 190} = {}) {
    const width = widthOf(element), step = 22;
    const x = d3.scaleLinear().domain([0, top || d3.max(rows, r => r.value) || 1]).range([left, Math.max(left + 60, width - right)]).clamp(true);
    const svg = element.append("svg").attr("width", width).attr("height", rows.length * step + 4);
    const row = svg.selectAll("g").data(rows).enter().append("g").attr("transform", (r, i) => `translate(0,${i * step})`);
    if (top) row.append("rect").attr("x", left).attr("y", 3).attr("width", x(top) - left).attr("height", 15).attr("fill", "#eceff2");
    row.append("rect").attr("x", left).attr("y", 3).attr("width", r => x(r.value) - left).attr("height", 15).attr("fill", r => r.color || "#0b6fb8");
    row.append("text").attr("x", left - 8).attr("y", 15).attr("text-anchor", "end").text(r => r.text);
    row.append("text").attr("x", r => (top ? x(top) : x(r.value)) + 6).attr("y", 15).text(r => form(r.value))
        .append("tspan").attr("class", "soft").attr("dx", 8).text(r => r.note || "");
}

/// What share of the machine's possibilities is used.
function speedOfLight(element, figures, machine) {
    const rows = [], cycles = figures.cycles;
    const uses = figures.eu && totalOf(figures.eu.cycles);
    const row = (text, value, color, note) => { if (isFinite(value)) rows.push({text, value, color, note}); };
    if (uses) {
        row("EUs busy", percent(figures.eu.cycles.busy || 0, uses), "#2a9d5c", "EU cycles");
        const units = figures.eu.unit_cycles;
        if (units) {
            // Of an EU with several units of a kind each counts.
            const each = count => count ? uses * count / machine.eus : uses;
            row("first FPU", percent(units.fpu || 0, each(machine && machine.fpus)), "#2a9d5c", "EU cycles");
            row("second FPU, math", percent(units.em || 0, each(machine && machine.em_units)), "#2a9d5c", "EU cycles");
        }
        if (machine && figures.eu.lanes_active !== undefined && machine.channels_per_cycle)
            row("channels", percent(figures.eu.lanes_active, cycles * machine.channels_per_cycle), "#2a9d5c",
                `${short(figures.eu.lanes_active / cycles)} of ${machine.channels_per_cycle} a cycle`);
    }
    if (figures.occupancy) row("thread slots", percent(figures.occupancy.thread_cycles, figures.occupancy.possible), "#c9a227", "thread-cycles");
    if (machine)
        for (const {key, text, color} of LEVELS) {
            const bytes = bytesAt(figures, key), most = machine[key + "_bytes_per_cycle"];
            if (bytes !== undefined && most) row(text, percent(bytes, cycles * most), color, `${short(bytes / cycles)} of ${short(most)} B a cycle`);
        }
    bars(element, rows, {top: 100, left: 130, right: 200});
    return rows.length;
}

/// Points {text, cycles, work, bytes: {level: n}, chosen} under the roofs of the machine.
function roofline(element, points, machine) {
    const width = widthOf(element), height = 300, box = {left: 58, right: 12, top: 10, bottom: 40};
    const dots = points.flatMap(p => LEVELS.filter(l => p.bytes[l.key] > 0)
        .map(level => ({p, level, x: p.work / p.bytes[level.key], y: p.work / p.cycles})));
    const roofs = LEVELS.filter(l => machine[l.key + "_bytes_per_cycle"] && dots.some(d => d.level === l))
        .map(level => ({level, slope: machine[level.key + "_bytes_per_cycle"], corner: machine.channels_per_cycle / machine[level.key + "_bytes_per_cycle"]}));
    if (!dots.length || !roofs.length) return element.append("p").attr("class", "note").text("No memory traffic to set the work against.");
    const xs = [...dots.map(d => d.x), ...roofs.map(r => r.corner)];
    const x = d3.scaleLog().domain([d3.min(xs) / 3, d3.max(xs) * 4]).range([box.left, width - box.right]);
    const y = d3.scaleLog().domain([Math.min(d3.min(dots, d => d.y) / 2, machine.channels_per_cycle / 100), machine.channels_per_cycle * 2])
        .range([height - box.bottom, box.top]);
    const svg = element.append("svg").attr("width", width).attr("height", height);
    svg.append("g").attr("class", "axis").attr("transform", `translate(0,${height - box.bottom})`).call(d3.axisBottom(x).ticks(6, "~g"));
    svg.append("g").attr("class", "axis").attr("transform", `translate(${box.left},0)`).call(d3.axisLeft(y).ticks(5, "~g"));
    svg.append("text").attr("class", "soft").attr("x", (box.left + width) / 2).attr("y", height - 6).attr("text-anchor", "middle").text("channel operations per byte");
    svg.append("text").attr("class", "soft").attr("transform", `translate(13,${height / 2 - 10}) rotate(-90)`).attr("text-anchor", "middle").text("channel operations per cycle");
    const peak = machine.channels_per_cycle, clip = value => Math.max(value, y.domain()[0]);
    for (const {level, slope, corner} of roofs) {
        const from = clip(slope * x.domain()[0]);
        svg.append("path").attr("fill", "none").attr("stroke", level.color).attr("stroke-width", 1.5)
            .attr("d", `M${x(from / slope)},${y(from)}L${x(corner)},${y(peak)}L${width - box.right},${y(peak)}`)
            .append("title").text(`${level.text}: ${slope} bytes a cycle`);
    }
    svg.append("text").attr("x", width - box.right).attr("y", y(peak) - 5).attr("text-anchor", "end").text(`${peak} channels a cycle`);
    const most = d3.max(points, p => p.cycles);
    svg.selectAll("circle").data(dots).enter().append("circle").attr("cx", d => x(d.x)).attr("cy", d => y(clip(d.y)))
        .attr("r", d => 4 + 6 * Math.sqrt(d.p.cycles / most)).attr("fill", d => d.level.color).attr("fill-opacity", 0.7).attr("stroke", "#fff")
        .append("title").text(d => `${d.p.text}\n${d.level.text}: ${d.x.toPrecision(3)} operations per byte\n${d.y.toPrecision(3)} operations per cycle`);
    legend(element, roofs.map(r => ({color: r.level.color, text: `${r.level.text} ${r.slope} B a cycle`})));
}

/// Bins of latencies, one small chart for each type of message.
function latencies(element, latency) {
    const types = Object.entries(latency).sort((a, b) => b[1].cycles - a[1].cycles).slice(0, 9);
    const first = Math.max(0, d3.min(types, ([, l]) => l.bins.findIndex(n => n > 0)));
    const last = d3.max(types, ([, l]) => l.bins.length), width = 208, height = 100, base = height - 16;
    const box = element.append("div").style("display", "flex").style("flex-wrap", "wrap").style("gap", "8px 20px");
    const x = d3.scaleBand().domain(d3.range(first, last)).range([0, width]).padding(0.12);
    for (const [type, {count: n, cycles, bins}] of types) {
        const svg = box.append("svg").attr("width", width).attr("height", height);
        const y = d3.scaleLinear().domain([0, d3.max(bins) || 1]).range([base, 30]);
        svg.append("text").attr("y", 11).style("font-weight", 600).text(clipText(type, 32));
        svg.append("text").attr("class", "soft").attr("y", 25).text(`${short(n)}, mean ${(cycles / n).toFixed(0)} cycles`);
        svg.selectAll("rect").data(d3.range(first, last)).enter().append("rect").attr("x", i => x(i)).attr("width", x.bandwidth())
            .attr("y", i => y(bins[i] || 0)).attr("height", i => base - y(bins[i] || 0)).attr("fill", "#e76f51")
            .append("title").text(i => `${i ? 2 ** i : 0} to ${2 ** (i + 1) - 1} cycles: ${count(bins[i] || 0)}`);
        svg.append("line").attr("x2", width).attr("y1", base).attr("y2", base).attr("stroke", "#b8c2cc");
        svg.append("text").attr("class", "soft").attr("y", height - 3).text(first ? 2 ** first : 0);
        svg.append("text").attr("class", "soft").attr("x", width).attr("y", height - 3).attr("text-anchor", "end").text(2 ** last);
    }
}

/// Shares of the EU cycles and of the thread slots over cycles. `series`: the table of the statistics; `window`: cycles of a
/// launch, or none.
function overTime(element, series, machine, window) {
    const at = Object.fromEntries(series.columns.map((name, index) => [name, index]));
    const shown = series.rows.filter(row => !window || (row[at.cycle] > window[0] && row[at.cycle] - row[at.cycles] < window[1]));
    const width = widthOf(element), height = 210, box = {left: 44, right: 10, top: 8, bottom: 34};
    const uses = USES.filter(use => at["eu_" + use.key] !== undefined);
    const x = d3.scaleLinear().domain(window || [0, shown[shown.length - 1][at.cycle]]).range([box.left, width - box.right]).clamp(true);
    const y = d3.scaleLinear().domain([0, 1]).range([height - box.bottom, box.top]);
    // Each interval is a step from its begin to its end.
    const points = shown.flatMap(row => {
        const whole = d3.sum(uses, use => row[at["eu_" + use.key]]) || 1;
        let sum = 0;
        const shares = uses.map(use => [sum, sum += row[at["eu_" + use.key]] / whole]);
        const threads = machine ? row[at.threads] / machine.threads : 0;
        return [row[at.cycle] - row[at.cycles], row[at.cycle]].map(cycle => ({cycle, shares, threads}));
    });
    const svg = element.append("svg").attr("width", width).attr("height", height);
    uses.forEach((use, n) => svg.append("path").attr("fill", use.color)
        .attr("d", d3.area().x(p => x(p.cycle)).y0(p => y(p.shares[n][0])).y1(p => y(p.shares[n][1]))(points))
        .append("title").text(use.text));
    if (machine)
        svg.append("path").attr("fill", "none").attr("stroke", "#1c2733").attr("stroke-width", 1.8)
            .attr("d", d3.line().x(p => x(p.cycle)).y(p => y(p.threads))(points)).append("title").text("threads loaded, of all thread slots");
    svg.append("g").attr("class", "axis").attr("transform", `translate(0,${height - box.bottom})`).call(d3.axisBottom(x).ticks(width / 90));
    svg.append("g").attr("class", "axis").attr("transform", `translate(${box.left},0)`).call(d3.axisLeft(y).ticks(5, "%"));
    svg.append("text").attr("class", "soft").attr("x", width - box.right).attr("y", height - 2).attr("text-anchor", "end").text("cycle");
    legend(element, [...(machine ? [{color: "#1c2733", text: `line: threads loaded, of ${machine.threads}`}] : []),
                     ...uses.filter(use => shown.some(row => row[at["eu_" + use.key]]))]);
}

const HEATS = [
    {key: "busy", text: "busy", value: s => percent(s.busy, s.cycles), form: percentText},
    {key: "message", text: "waits for messages", value: s => percent(s.stall_message, s.cycles), form: percentText},
    {key: "idle", text: "no thread", value: s => percent(s.idle, s.cycles), form: percentText},
    {key: "instructions", text: "instructions", value: s => s.instructions, form: count},
];

/// EUs by slice and subslice.
function heat(element, units, shown = HEATS[0]) {
    element.selectAll("*").remove();
    const known = HEATS.filter(h => units.some(u => isFinite(h.value(u.stats)) && h.value(u.stats) !== undefined));
    if (!known.includes(shown)) shown = known[0];
    element.append("div").selectAll("button").data(known).enter().append("button").attr("class", h => h === shown ? "on" : null)
        .text(h => h.text).on("click", h => heat(element, units, h));
    const rows = [...new Set(units.map(u => u.slice + "." + u.subslice))], columns = [...new Set(units.map(u => u.eu))];
    const left = 130, step = Math.min(70, (widthOf(element) - left) / columns.length), high = 30;
    const values = units.map(u => shown.value(u.stats) || 0);
    const color = d3.scaleSequential(d3.interpolateYlGnBu).domain([0, (shown.form === percentText ? Math.max(25, d3.max(values)) : d3.max(values)) * 1.15 || 1]);
    const svg = element.append("svg").attr("width", left + step * columns.length).attr("height", rows.length * high + 20);
    svg.selectAll(".c").data(columns).enter().append("text").attr("class", "soft").attr("x", (c, i) => left + (i + 0.5) * step).attr("y", 12).attr("text-anchor", "middle").text(c => c);
    svg.selectAll(".r").data(rows).enter().append("text").attr("x", left - 8).attr("y", (r, i) => 18 + i * high + high / 2 + 3).attr("text-anchor", "end").text(r => r);
    const cell = svg.selectAll(".e").data(units).enter().append("g").attr("transform", u =>
        `translate(${left + columns.indexOf(u.eu) * step},${18 + rows.indexOf(u.slice + "." + u.subslice) * high})`);
    cell.append("rect").attr("width", step - 2).attr("height", high - 2).attr("fill", u => color(shown.value(u.stats) || 0))
        .append("title").text(u => `${u.slice}.${u.subslice}.${u.eu}: ${shown.form(shown.value(u.stats) || 0)} ${shown.text}`);
    cell.append("text").attr("x", step / 2 - 1).attr("y", high / 2 + 3).attr("text-anchor", "middle").style("pointer-events", "none")
        .style("fill", u => inkOn(color(shown.value(u.stats) || 0)))
        .text(u => shown.form === percentText ? percentText(shown.value(u.stats) || 0) : short(shown.value(u.stats) || 0));
}
