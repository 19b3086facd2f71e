"use strict";
// A table of any length: only the rows in view are in the document.

/// `columns`: {title, width or none, text(row), number, draw(cell, row), order(row)}. `options`: {height, pick(row), chosen(row), title(row)}.
function table(element, rows, columns, {height = 300, pick, chosen, title} = {}) {
    const kRow = 22, box = element.append("div").attr("class", "table");
    const top = box.append("div").attr("class", "row top");
    const scroll = box.append("div").attr("class", "scroll").style("height", Math.min(height, rows.length * kRow + 2) + "px");
    const inner = scroll.append("div").attr("class", pick ? "pick" : null).style("position", "relative").style("height", rows.length * kRow + "px");
    let order = [...rows], by, down;
    const style = selection => selection.attr("class", c => (c.number ? "number" : "") + (c.width ? "" : " grow") + (c.draw ? " bar" : ""))
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

function instructionTable(element, kernels) {
    const rows = kernels.flatMap(kernel => kernel.instructions.map(i => ({...i, kernel: kernel.name || kernel.kernel_start, all: totalOf(i.cycles)})));
    const most = d3.max(rows, r => r.all) || 1, whole = d3.sum(rows, r => r.all) || 1, lines = rows.some(r => r.line);
    const columns = [
        {title: "offset", width: 62, text: r => "0x" + r.offset.toString(16), order: r => r.offset, number: true},
        {title: "executed", width: 78, text: r => count(r.executions), order: r => r.executions, number: true},
        {title: "lanes", width: 60, text: r => percentText(percent(r.lanes_active, r.lanes_possible)), order: r => r.lanes_active / r.lanes_possible, number: true},
        {title: "share", width: 54, text: r => percentText(percent(r.all, whole)), order: r => r.all, number: true},
        {title: "EU cycles, by use", width: 160, draw: (cell, r) => cellBar(cell, usesParts(r.cycles), most, 160), order: r => r.all},
        {title: "instruction", text: r => r.text, order: r => r.text},
    ];
    if (kernels.length > 1) columns.unshift({title: "kernel", width: 110, text: r => r.kernel, order: r => r.kernel});
    if (lines) columns.push({title: "source", width: 130, text: r => r.line ? `${(r.file || "").split("/").pop()}:${r.line}` : "", order: r => (r.file || "") + String(r.line || 0).padStart(8, "0")});
    table(element, rows, columns, {height: 420, title: r => r.text + "\n" + USES.filter(u => r.cycles[u.key]).map(u => `${u.text}: ${count(r.cycles[u.key])}`).join("\n")});
}
