"use strict";
// Sentences for the largest causes of EU cycles in which no unit is occupied.

const CAUSE = {
    message: "wait for the answer to a message", scoreboard: "wait for the result of an earlier instruction",
    barrier: "wait at a barrier", send_queue: "wait for room in the queue of a shared function", fetch: "wait for instructions",
    dependency: "wait for the end of another thread", branch: "are the shadow of flow control",
    switch: "are the shadow of a thread switch", pipe: "are the shadow of the front end", no_thread: "have no thread loaded",
};

/// The instruction at which most cycles of a use fall.
function worst(code, use) {
    const instructions = code.flatMap(kernel => kernel.instructions);
    const most = d3.greatest ? d3.greatest(instructions, i => i.cycles[use] || 0)
                             : instructions.reduce((a, b) => (b.cycles[use] || 0) > (a.cycles[use] || 0) ? b : a, instructions[0]);
    return most && most.cycles[use] ? most : undefined;
}

const placeText = instruction =>
    "0x" + instruction.offset.toString(16) + (instruction.line ? `, ${instruction.file || "line"}${instruction.file ? ":" : " "}${instruction.line}` : "");

/// Adds what else is known of why.
function because(use, figures) {
    if (use === "no_thread" && figures.occupancy) {
        const [why, cycles] = Object.entries(figures.occupancy.spawner).sort((a, b) => b[1] - a[1])[0] || [];
        const all = d3.sum(Object.values(figures.occupancy.spawner));
        if (why) return ` For ${percentText(percent(cycles, all))} of its time the spawner says: ${SPAWNER[why] || why}.`;
    }
    if (use === "message" && figures.latency) {
        const [type, latency] = Object.entries(figures.latency).sort((a, b) => b[1].cycles - a[1].cycles)[0] || [];
        if (type) return ` Most message time is of '${type}': ${count(latency.count)} messages of ${(latency.cycles / latency.count).toFixed(0)} cycles on average.`;
    }
    const slm = figures.memory && figures.memory.slm;
    if ((use === "message" || use === "send_queue") && slm && slm.conflict_cycles)
        return ` Bank conflicts of shared local memory took ${count(slm.conflict_cycles)} cycles of its pipes.`;
    return "";
}

/// The three largest, as {share, text, instruction}.
function causesOf(figures, code) {
    if (!figures.eu) return [];
    const all = totalOf(figures.eu.cycles);
    return Object.entries(figures.eu.cycles).filter(([use, cycles]) => use !== "busy" && cycles > 0)
        .sort((a, b) => b[1] - a[1]).slice(0, 3).map(([use, cycles]) => {
            let text = `${percentText(percent(cycles, all))} of EU cycles ${CAUSE[use] || use}`;
            const instruction = use === "no_thread" ? undefined : worst(code, use);
            if (instruction) text += `, ${percentText(percent(instruction.cycles[use], cycles))} of them at ${placeText(instruction)}`;
            return {use, share: cycles / all, text: text + "." + because(use, figures), instruction};
        });
}
