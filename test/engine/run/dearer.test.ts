import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../extension/engine/conversation/entry';
import { mayBeDearer } from '../../../extension/engine/run/dearer';
import { assistant, talk, user } from '../../builders/conversation';

const usage = { input: 10, output: 5, cacheRead: 90_000, cacheWrite: 500 };

/** A reply of a model at noon, and the person's next words some minutes later. */
function pausing(minutes: number, reply: Partial<Entry> = {}): { entries: readonly Entry[] } {
  const [first, second, third] = talk([user('Begin.'), assistant('Done.', usage), user('Go on.')]).entries;
  if (!first || !second || !third) throw new Error('Three entries.');
  const time = Date.parse('2026-05-01T12:00:00.000Z');
  const at = (ms: number) => new Date(time + ms).toISOString();
  const answered = { ...second, model: 'claude-opus-4-8', timestamp: at(0), ...reply };
  return { entries: [first, answered, { ...third, timestamp: at(minutes * 60_000) }] };
}

describe('a compaction before the next request', () => {
  it('may be dearer than none while a cache may have the prompt', () => {
    expect(mayBeDearer(pausing(1))).toBe(true);
    expect(mayBeDearer(pausing(59))).toBe(true);
    expect(mayBeDearer(pausing(61))).toBe(false);
  });

  it('is not held back where prices or times are not known', () => {
    expect(mayBeDearer(pausing(1, { model: 'a-model-of-nobody' }))).toBe(false);
    expect(mayBeDearer(pausing(1, { timestamp: null }))).toBe(false);
    expect(mayBeDearer(talk([user('Begin.')]))).toBe(false);
  });
});
