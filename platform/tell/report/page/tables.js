"use strict";
// A table of any length: only the rows in view are in the document.

/// `columns`: {title, width or none, text(row), number, draw(cell, row), order(row)}. `options`: {height, pick(row), chosen(row), title(row)}.
function table(element, rows, columns, {height = 300, pick, chosen, title} = {}) {
    const kRow = 22, box = element.append("div").attr("class", "table");
    const top = box.append("div").attr("class", "row top");
    const scroll = box.append("div").attr("class", "scroll").style("height", Math.min(height, rows.length * kRow + 2) + "px");
    const inner = scroll.append("div").attr("class", pick ? "pick" : null).style("position", "relative").style("height", rows.length * kRow + "px");
    let order = [...rows], by, down;
    const style = selection => selection.attr("class", c => (c.number ? "number" : "") + (c.width ? "" : " grow") + (c.code ? " code" : "") + (c.draw ? " bar" : ""))
        .style("width", c => c.width ? c.width + "px" : null);
    style(top.selectAll("div").data(columns).enter().append("div")).text(c => c.title).on("click", column => {
        if (!column.order) return;
        down = by === column ? !down : true;
        by = column;
        order = [...rows].sort((a, b) => (down ? -1 : 1) * d3.ascending(column.order(a), column.order(b)));
        top.selectAll("div").classed("by", c => c === by);
        draw();
    });
    function draw() {
        const first = Math.max(0, Math.floor(scroll.node().scrollTop / kRow) - 4);
        const view = order.slice(first, first + Math.ceil(height / kRow) + 9);
        inner.selectAll(".row").remove();
        const row = inner.selectAll(".row").data(view).enter().append("div").attr("class", "row").style("top", (r, i) => (first + i) * kRow + "px")
            .classed("chosen", r => Boolean(chosen && chosen(r))).attr("title", r => title ? title(r) : null);
        if (pick) row.on("click", r => { pick(r); draw(); });
        row.each(function (data) {
            const cells = style(d3.select(this).selectAll("div").data(columns).enter().append("div"));
            cells.each(function (column) {
                if (column.draw) column.draw(d3.select(this), data);
                else d3.select(this).text(column.text(data));
            });
        });
    }
    scroll.on("scroll", () => draw());
    draw();
    /// Makes the first row for which it holds visible.
    draw.to = holds => {
        const at = order.findIndex(holds);
        if (at >= 0) scroll.node().scrollTop = Math.max(0, at * kRow - height / 3);
        draw();
    };
    return draw;
}

/// Parts of a bar in a cell: {value, color}, of `whole`, which fills the width.
function cellBar(cell, parts, whole, width) {
    let at = 4;
    for (const part of parts) {
        const wide = whole ? part.value / whole * (width - 8) : 0;
        if (wide < 0.3) continue;
        cell.append("i").style("left", at + "px").style("width", wide + "px").style("background", part.color);
        at += wide;
    }
}

const usesText = cycles => USES.filter(u => cycles[u.key]).map(u => `${u.text}: ${count(cycles[u.key])}`).join("\n");
const fileName = row => (row.file || "").split("/").pop();

/// What the tables of instructions and of source lines share.
function figureColumns(rows, bar) {
    const most = d3.max(rows, r => r.all) || 1, whole = d3.sum(rows, r => r.all) || 1;
    return [
        {title: "times", width: 62, text: r => count(r.executions), order: r => r.executions, number: true},
        {title: "lanes", width: 52, text: r => percentText(percent(r.lanes_active, r.lanes_possible)), order: r => r.lanes_active / r.lanes_possible, number: true},
        {title: "share", width: 54, text: r => percentText(percent(r.all, whole)), order: r => r.all, number: true},
        {title: bar < 120 ? "EU cycles" : "EU cycles, by use", width: bar, draw: (cell, r) => cellBar(cell, usesParts(r.cycles), most, bar), order: r => r.all},
    ];
}

const instructionRows = kernels =>
    kernels.flatMap(kernel => kernel.instructions.map(i => ({...i, kernel: kernel.name || kernel.kernel_start, all: totalOf(i.cycles)})));

function instructionTable(element, kernels, {rows = instructionRows(kernels), bar = 160, ...options} = {}) {
    const columns = [
        {title: "offset", width: 62, text: r => "0x" + r.offset.toString(16), order: r => r.offset, number: true},
        ...figureColumns(rows, bar),
        {title: "instruction", text: r => r.text, order: r => r.text},
    ];
    if (kernels.length > 1) columns.unshift({title: "kernel", width: 110, text: r => r.kernel, order: r => r.kernel});
    return table(element, rows, columns, {height: 420, title: r => r.text + (r.line ? `\n${fileName(r)}:${r.line}` : "") + "\n" + usesText(r.cycles), ...options});
}

/// Source lines and the instructions made of them, side by side: a click on one shows the others.
function sourceAndInstructions(element, kernels) {
    const rows = instructionRows(kernels), places = new Map();
    for (const row of rows) {
        row.place = (row.file || "") + ":" + (row.line || 0);
        if (!places.has(row.place))
            places.set(row.place, {place: row.place, file: row.file, line: row.line, text: row.line ? row.source || "" : "(no source line)",
                                   executions: 0, lanes_active: 0, lanes_possible: 0, cycles: {}, all: 0});
        const line = places.get(row.place);
        add(line, {executions: row.executions, lanes_active: row.lanes_active, lanes_possible: row.lanes_possible, cycles: row.cycles, all: row.all});
    }
    const lines = [...places.values()].sort((a, b) => d3.ascending(a.file || "", b.file || "") || d3.ascending(a.line || 0, b.line || 0));
    const several = new Set(lines.filter(l => l.line).map(fileName)).size > 1;
    const pair = element.append("div").attr("class", "pair"), chosen = r => r.place === picked;
    const left = pair.append("div"), right = pair.append("div");
    let picked;
    const drawLines = table(left, lines, [
        {title: "line", width: several ? 110 : 44, text: l => (l.line ? (several ? fileName(l) + ":" : "") + l.line : ""), order: l => (l.file || "") + String(l.line || 0).padStart(8, "0"), number: true},
        ...figureColumns(lines, 90),
        {title: "source", code: true, text: l => l.text, order: l => l.text},
    ], {height: 420, chosen, pick: l => { picked = l.place; drawInstructions.to(chosen); }, title: l => l.text.trim() + "\n" + usesText(l.cycles)});
    const drawInstructions = instructionTable(right, kernels, {rows, bar: 90, chosen, pick: r => { picked = r.place; drawLines.to(chosen); }});
}
