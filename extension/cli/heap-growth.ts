import { getHeapStatistics, setFlagsFromString } from 'node:v8';

/**
 * Bytes by which the heap of a server may exceed its live objects. By default, V8 lets the heap grow to three times that size, and long
 * request bodies fill it with garbage. With a smaller limit, V8 would collect after every few bodies.
 */
const room = 64 * 1024 * 1024;

/** In a larger heap the limit is this percentage of the live objects. */
const leastPercent = 40;

/** How often the limit is adjusted to the live objects, in milliseconds. */
const adjustedEveryMs = 5_000;

/**
 * Keeps the space for new objects at its initial size. Otherwise V8 enlarges it and never releases the pages: more than 100 MB with 300
 * agents at once.
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
