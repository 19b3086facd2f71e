"use strict";
// Sentences for the largest causes of EU cycles in which no unit is occupied.

const CAUSE = {
    message: "wait for the answer to a message", scoreboard: "wait for the result of an earlier instruction",
    barrier: "wait at a barrier", send_queue: "wait for room in the queue of a shared function", fetch: "wait for instructions",
    dependency: "wait for the end of another thread", branch: "are the shadow of flow control",
    switch: "are the shadow of a thread switch", pipe: "are the shadow of the front end", no_thread: "have no thread loaded",
};

/// The instruction at which most cycles of a use fall: {instruction, at, of, share, lineShare}, its place in its kernel, its
/// share of the use, and that of its source line. `code` may be of more launches than the one that is looked at.
function worst(code, use) {
    let most, all = 0;
    const lines = new Map(), lineOf = instruction => (instruction.file || "") + ":" + instruction.line;
    for (const of of code)
        of.instructions.forEach((instruction, at) => {
            const cycles = instruction.cycles[use] || 0;
            all += cycles;
            if (instruction.line) lines.set(lineOf(instruction), (lines.get(lineOf(instruction)) || 0) + cycles);
            if (cycles > (most ? most.instruction.cycles[use] : 0)) most = {instruction, at, of};
        });
    return most && {...most, share: most.instruction.cycles[use] / all, lineShare: (lines.get(lineOf(most.instruction)) || 0) / all};
}

const registersOf = text => [...text.split("//")[0].matchAll(/\br(\d+)(?=[.:\s<])/g)].map(m => Number(m[1]));

/// The message whose answer an instruction waits for: the last one before it, or before the end of a loop around it, that
/// returns into a register that the instruction names.
function messageOf({instruction, at, of}) {
    const wanted = registersOf(instruction.text), n = of.instructions.length;
    for (let step = 1; step < n; ++step) {
        const sent = of.instructions[(at - step + n) % n], form = /\bsends?c? \([^)]*\) r(\d+).*rd:(\d+)/.exec(sent.text);
        if (!form || form[2] === "0") continue;
        const first = Number(form[1]), behind = first + Number(form[2]);
        // A region of 16 or 32 channels reaches into the next register.
        if (wanted.some(r => r + 1 >= first && r < behind)) return sent;
    }
    return undefined;
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
    const queues = Object.entries(figures.queues || {}).sort((a, b) => b[1].waiting - a[1].waiting);
    if (use === "send_queue" && queues.length && queues[0][1].waiting > 0)
        return ` Most wait for the ${queues[0][0].replace(/_/g, " ")}: ${queues[0][1].waiting.toFixed(1)} messages in its queue on average.`;
    const slm = figures.memory && figures.memory.slm;
    if ((use === "message" || use === "send_queue") && slm && slm.conflict_cycles)
        return ` Bank conflicts of shared local memory took ${count(slm.conflict_cycles)} cycles of its pipes.`;
    return "";
}

/// Of all EU cycles: a cause of fewer is none.
const kLeast = 0.001;

/// The three largest, as {share, text, instructions}: where, and the message that is waited for.
function causesOf(figures, code) {
    if (!figures.eu) return [];
    const all = totalOf(figures.eu.cycles);
    return Object.entries(figures.eu.cycles).filter(([use, cycles]) => use !== "busy" && cycles > kLeast * all)
        .sort((a, b) => b[1] - a[1]).slice(0, 3).map(([use, cycles]) => {
            let text = `${percentText(percent(cycles, all))} of EU cycles ${CAUSE[use] || use}`;
            const most = use === "no_thread" ? undefined : worst(code, use), instruction = most && most.instruction;
            const message = most && use === "message" ? messageOf(most) : undefined;
            if (instruction) text += `, ${percentText(100 * most.share)} of them at ${placeText(instruction)}`;
            if (instruction && instruction.line && most.lineShare > most.share)
                text += `, and ${percentText(100 * most.lineShare)} at all instructions of that line`;
            if (message) text += `, for the message at ${placeText(message)} (${message.text.split(";").pop().trim()})`;
            return {use, share: cycles / all, text: text + "." + because(use, figures), instructions: [instruction, message].filter(Boolean)};
        });
}
