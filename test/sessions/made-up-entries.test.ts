import { describe, expect, it } from 'vitest';
import { sendable } from '../../extension/agents/codex/format/context';
import { contextOf } from '../../extension/agents/gemini-cli/format/context';
import type { Entry } from '../../extension/engine/conversation/entry';
import { PairedContext } from '../../extension/sessions/records/paired-context';
import { assistant, calls, result, talk, user } from '../builders/conversation';

/** Contexts are compared by identity, so that a view of a growing one is rebuilt only where it changed. */
describe('what an agent sends and no record contains', () => {
  const { entries } = talk(
    user('fix it'),
    calls('a', 'b'),
    result('a'),
    user('go on'),
    assistant('done'),
    user('thanks'),
  );
  const contexts: Readonly<Record<string, (entries: readonly Entry[]) => readonly Entry[]>> = {
    'of an agent whose calls are followed by results': (all) => {
      const context = new PairedContext();
      for (const entry of all) context.add(entry);
      return context.end();
    },
    'of Codex': sendable,
    'of Gemini CLI': (all) => contextOf(all.map((entry) => ({ id: entry.id, entries: [entry] }))),
  };

  it.each(Object.entries(contexts))('is the same object each time, in a context %s', (_agent, context) => {
    const [before, after] = [context(entries.slice(0, -1)), context(entries)];
    const recorded = new Set(entries);
    expect(before.filter((entry) => !recorded.has(entry))).not.toEqual([]);
    for (const [index, entry] of before.entries()) expect(after[index]).toBe(entry);
  });
});
