import { getHeapStatistics, setFlagsFromString } from 'node:v8';

/**
 * Room of the heap of a server beyond what is alive, in bytes. V8 takes up to three times what is alive, which is memory that one
 * long body after the other fills with garbage. With less room than this, it collects after every few bodies.
 */
const room = 64 * 1024 * 1024;

/** A larger heap has more room: this share of what is alive, in percent. */
const leastPercent = 40;

/** How often the share is adjusted to what is alive, in milliseconds. */
const adjustedEveryMs = 5_000;

/**
 * What is new is collected in the room that it has at the start. V8 lets that room grow, and keeps pages that it once had:
 * more than 100 MB with 300 agents at once.
 */
const newSpaceGrowth = 1;

/** For programs that read long bodies one after the other. */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--semi-space-growth-factor=${newSpaceGrowth}`);
  adjust();
  setInterval(adjust, adjustedEveryMs).unref();
}

function adjust(): void {
  const percent = Math.round((room / getHeapStatistics().used_heap_size) * 100);
  setFlagsFromString(`--heap-growing-percent=${Math.max(leastPercent, percent)}`);
}
