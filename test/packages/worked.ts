import { expect } from 'vitest';
import type { AgentServer } from '../agents/server/server';

/** Number of turns of the program in `platforms/program.js` through each entry point. */
export const turns = 20;

const doors = ['fetch', 'aiSdk', 'langchain'] as const;

/** Checks what the model received through each entry point, and the result that the program reports. */
export function expectWorked({ exchanges }: AgentServer, outcome: unknown): void {
  expect(outcome).toEqual({ blocks: expect.any(Number), isUndone: true });
  const bodies = exchanges.map(({ body }) => JSON.stringify(body));
  const sent = { requests: turns, isPinned: true, hasBlock: true, fits: true };
  expect(doors.map((door) => sentThrough(door, bodies))).toEqual(doors.map(() => sent));
}

function sentThrough(door: string, allBodies: readonly string[]) {
  const bodies = allBodies.filter((body) => body.includes(`${door}: look`));
  return {
    requests: bodies.length,
    isPinned: bodies.every((body) => body.includes(`Pinned for ${door}.`)),
    hasBlock: /\[(?:SUMMARIZED|GOAL BATCH)\]/.test(bodies.at(-1) ?? ''),
    fits: Math.max(...bodies.map(({ length }) => length)) < 16_000 * 4,
  };
}
