"use strict";
// The memory flow chart: who asks which level for how many bytes, and what it finds there.

function memoryFlow(element, memory) {
    const clients = Object.entries(memory.clients).filter(([, levels]) => Object.values(levels).some(l => l.bytes > 0));
    const slm = memory.slm && memory.slm.bytes > 0, left = clients.filter(([key]) => key !== "other");
    const lines = Math.max(3, left.length + (slm ? 1 : 0)), step = 54, high = 36;
    // In a narrow page it is drawn smaller.
    const width = Math.max(860, widthOf(element)), height = lines * step + 24;
    const column = i => [0, 0.275, 0.555, 0.83][i] * width, boxWidth = 0.17 * width;
    const boxes = [], arrows = [];
    const box = (name, at, row, text, note) => boxes.push({name, x: column(at), y: row * step + 14, text, note}) && name;
    const arrow = (from, to, bytes, note) => bytes > 0 && arrows.push({from, to, bytes, note});
    const hits = level => level && level.accesses ? `${percentText(percent(level.hits || 0, level.accesses))} hits` : "";
    const middle = (lines - 1) / 2;

    if (slm) arrow("data_port", "slm", memory.slm.bytes, "");
    left.forEach(([key, levels], i) => {
        box(key, 0, i + (slm && key !== "data_port" ? 1 : 0), CLIENTS[key] || key, levels.cache ? `own cache: ${hits(levels.cache)}` : "");
        arrow(key, "l3", levels.l3 && levels.l3.bytes, hits(levels.l3));
        if (!levels.l3) arrow(key, "llc", levels.llc && levels.llc.bytes, hits(levels.llc));
    });
    if (slm) {
        box("slm", 1, 0, "local memory", `${count(memory.slm.conflict_cycles)} conflict cycles`);
        if (!left.some(([key]) => key === "data_port")) box("data_port", 0, 0, "data port", "");
    }
    const l3 = levelOf(memory, "l3"), llc = levelOf(memory, "llc");
    box("l3", 1, slm ? Math.max(1, middle) : middle, "L3", hits(l3));
    box("llc", 2, middle, "LLC", hits(llc));
    box("dram", 3, middle, "DRAM", "");
    arrow("l3", "llc", bytesOf(memory.gti), `${bytesText(memory.gti.read_bytes)} read`);
    arrow("llc", "dram", bytesOf(memory.dram), `${bytesText(memory.dram.read_bytes)} read`);
    const other = memory.clients.other;
    if (other && other.llc && other.llc.bytes) {
        box("other", 1, Math.min(lines - 1, middle + 1.2), CLIENTS.other, "command streamer");
        arrow("other", "llc", other.llc.bytes, hits(other.llc));
    }

    const svg = element.append("svg").attr("viewBox", `0 0 ${width} ${height}`).style("width", "100%").style("max-width", width + "px");
    svg.append("defs").append("marker").attr("id", "tip").attr("viewBox", "0 0 8 8").attr("refX", 7).attr("refY", 4).attr("markerWidth", 9)
        .attr("markerHeight", 9).attr("markerUnits", "userSpaceOnUse").attr("orient", "auto").append("path").attr("d", "M0,0L8,4L0,8z").attr("fill", "#5c6b7a");
    const thick = d3.scaleSqrt().domain([0, d3.max(arrows, a => a.bytes) || 1]).range([1, 12]);
    const placed = Object.fromEntries(boxes.map(b => [b.name, b]));
    const words = [];
    for (const arrow of arrows) {
        const from = placed[arrow.from], to = placed[arrow.to];
        // Arrows of one box leave it side by side.
        const beside = arrows.filter(a => a.from === arrow.from), place = beside.indexOf(arrow) - (beside.length - 1) / 2;
        const x1 = from.x + boxWidth, y1 = from.y + high / 2 + 12 * place, x2 = to.x - 2, y2 = to.y + high / 2, bend = (x1 + x2) / 2;
        svg.append("path").attr("d", `M${x1},${y1}C${bend},${y1} ${bend},${y2} ${x2},${y2}`).attr("fill", "none").attr("stroke", "#9db8cf")
            .attr("stroke-width", thick(arrow.bytes)).attr("stroke-opacity", 0.8);
        svg.append("path").attr("d", `M${x2 - 8},${y2}L${x2},${y2}`).attr("stroke", "#5c6b7a").attr("marker-end", "url(#tip)");
        words.push({x: x1 + 8, y: y1 + (place > 0 ? 22 : -6), text: bytesText(arrow.bytes), kind: "clear"},
                   {x: x1 + 8, y: y1 + (place > 0 ? 35 : 15), text: arrow.note, kind: "clear soft"});
    }
    // Above all arrows.
    svg.selectAll(".words").data(words).enter().append("text").attr("class", w => w.kind).attr("x", w => w.x).attr("y", w => w.y).text(w => w.text);
    const group = svg.selectAll(".box").data(boxes).enter().append("g").attr("transform", b => `translate(${b.x},${b.y})`);
    group.append("rect").attr("width", boxWidth).attr("height", high).attr("rx", 4).attr("fill", "#fff").attr("stroke", "#5c6b7a");
    group.append("text").attr("x", boxWidth / 2).attr("y", b => b.note ? 15 : 22).attr("text-anchor", "middle").style("font-weight", 600).text(b => b.text);
    group.append("text").attr("class", "soft").attr("x", boxWidth / 2).attr("y", 29).attr("text-anchor", "middle").style("font-size", "11px").text(b => b.note);
}
