import type { HistoryEntry } from '../../../extension/engine/policies/history';

/** Small pictures of histories: `[step('code', 'Loaded data'), person('go on')]`. */
export function step(action: string, output?: string): HistoryEntry {
  return { type: 'step', action, ...(output === undefined ? {} : { output }) };
}

export function failure(action: string, error: string): HistoryEntry {
  return { type: 'step', action, error };
}

export function person(content: string): HistoryEntry {
  return { type: 'user', content };
}

/** This many different entries. Default: twelve. */
export function numbered(count: number): HistoryEntry[] {
  return Array.from({ length: count }, (_, index) => step('code', `output ${index}`));
}

/** Too long to be shown in a summary, and without a place where it could be cut. */
export const unbroken = 'x'.repeat(300);
