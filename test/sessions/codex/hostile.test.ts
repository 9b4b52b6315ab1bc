import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../extension/engine/conversation/entry';
import { codex } from '../../../extension/sessions/codex/adapter';
import { linesOf } from '../build';
import { contextFaults } from '../context-faults';
import { fixtures } from '../samples';
import { answered, called, codexSession, compacted, event, meta, replied, said, userItem } from './records';

const ids = fc.constantFrom('a', 'b', 'c');
const step = fc.oneof(
  ids.map((id) => said(id, id)),
  ids.map((id) => replied(id, id)),
  ids.map((id) => called(id)),
  ids.map((id) => answered(id, id)),
  fc.array(ids, { maxLength: 3 }).map((list) => compacted(list.map((id) => userItem(id, id)))),
  fc.nat({ max: 4 }).map((turns) => event('thread_rolled_back', { num_turns: turns })),
  fc.constantFrom(event('task_started'), event('task_complete'), event('turn_aborted')),
);

describe('whatever order records come in', () => {
  it('the context is one that a provider would take, with every entry known', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (records) => {
        const { entries, agentContext } = codexSession([meta, ...records]).conversation;
        expect(contextFaults(agentContext)).toEqual([]);
        const known = new Set(entries.map((entry) => entry.id));
        expect(known.size).toBe(entries.length);
        expect(agentContext.filter(({ id }) => !known.has(id) && !id.includes(':no-result:'))).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  it('a session of any JSON is read', () => {
    const types = fc.constantFrom(
      'session_meta',
      'response_item',
      'compacted',
      'event_msg',
      'turn_context',
      'token_usage_record',
    );
    const line = fc.record({ type: types, payload: fc.jsonValue(), ordinal: fc.jsonValue() });
    fc.assert(fc.property(fc.array(line), (records) => void codexSession(records)));
  });
});

describe.each(['after-compaction', 'remote-compaction', 'picture-and-interruptions'])('%s', (name) => {
  const lines = linesOf(join(fixtures, 'codex-0.169', `${name}.jsonl`));

  it('is a context that a provider would take, at every point of the session', () => {
    for (let end = 1; end <= lines.length; end += 1) {
      const { agentContext } = codexSession(lines.slice(0, end)).conversation;
      expect(contextFaults(agentContext), `after line ${end}`).toEqual([]);
    }
  });

  it('is the same when it was looked at after every line, and leaves what was there as it was', () => {
    const builder = codex.createBuilder('session.jsonl');
    let before: readonly Entry[] = [];
    for (const [index, text] of lines.entries()) {
      builder.accept({ number: index + 1, text });
      const { entries } = builder.session().conversation;
      const newest = before.findLastIndex((entry) => entry.role === 'assistant');
      expect(before.filter((entry, at) => at !== newest && entries[at] !== entry)).toEqual([]);
      before = entries;
    }
    expect(builder.session()).toEqual(codexSession(lines));
  });

  it('loads without any one of its lines', () => {
    for (const index of lines.keys()) {
      const { agentContext } = codexSession(lines.toSpliced(index, 1, '{"torn')).conversation;
      expect(contextFaults(agentContext), `without line ${index + 1}`).toEqual([]);
    }
  });
});

it('takes time in proportion to the length of a session', { timeout: 30_000 }, () => {
  const lines = Array.from({ length: 60_000 }, (_, index) => JSON.stringify(replied(`m${index}`, 'x')));
  const start = performance.now();
  codexSession([JSON.stringify(meta), ...lines]);
  // Below a second on an idle machine; with a cost that grows with the square it would be minutes.
  expect(performance.now() - start).toBeLessThan(15_000);
});
