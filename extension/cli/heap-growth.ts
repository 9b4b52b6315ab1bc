import { setFlagsFromString } from 'node:v8';

/**
 * The heap of a server grows to at most this share more than what was alive at the last collection, in percent. V8 allows
 * up to three times more, which is memory that one long body after the other fills with garbage.
 */
const growingPercent = 40;

/**
 * What is new is collected in the room that it has at the start. V8 lets that room grow, and keeps pages that it once had:
 * more than 100 MB with 300 agents at once.
 */
const newSpaceGrowth = 1;

/** For programs that read long bodies one after the other. */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${growingPercent}`);
  setFlagsFromString(`--semi-space-growth-factor=${newSpaceGrowth}`);
}
