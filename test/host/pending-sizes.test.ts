import { describe, expect, it, vi } from 'vitest';
import { PendingSizes } from '../../extension/host/opening/pending-sizes';

vi.mock('vscode', () => ({
  EventEmitter: class {
    readonly #listeners: (() => void)[] = [];
    readonly event = (listener: () => void) => this.#listeners.push(listener);
    fire(): void {
      for (const listener of this.#listeners) listener();
    }
  },
}));

/** VS Code's storage, which outlives the window. */
function storage() {
  const kept = new Map<string, unknown>();
  return {
    get: (key: string, otherwise: unknown) => kept.get(key) ?? otherwise,
    update: async (key: string, value: unknown) => void kept.set(key, structuredClone(value)),
  } as never;
}

const session = '/s/1.jsonl';

describe('the size of a session after Strata’s compactions', () => {
  it('is known until the agent has it, also in the next window', () => {
    const state = storage();
    new PendingSizes(state).note(session, { now: 100_000, after: 20_000 });
    const sizes = new PendingSizes(state);
    expect(sizes.afterOf(session, 100_000)).toBe(20_000);
    expect(sizes.afterOf('/s/2.jsonl', 100_000)).toBeUndefined();
    sizes.note(session, null);
    expect(sizes.afterOf(session, 100_000)).toBeUndefined();
    expect(new PendingSizes(state).afterOf(session, 100_000)).toBeUndefined();
  });

  it('grows with the session, and is unknown after a compaction by the agent', () => {
    const sizes = new PendingSizes(storage());
    sizes.note(session, { now: 100_000, after: 20_000 });
    expect(sizes.afterOf(session, 130_000)).toBe(50_000);
    // The provider reported slightly fewer tokens for the newest reply than Strata had counted.
    expect(sizes.afterOf(session, 99_000)).toBe(20_000);
    expect(sizes.afterOf(session, 30_000)).toBeUndefined();
  });

  it('is told only when it changes', () => {
    const sizes = new PendingSizes(storage());
    let told = 0;
    sizes.onDidChange(() => {
      told += 1;
    });
    sizes.note(session, null);
    sizes.note(session, { now: 100_000, after: 20_000 });
    sizes.note(session, { now: 100_000, after: 20_000 });
    expect(told).toBe(1);
  });
});
