import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fork } from '../../../extension/agents/codex/fork/fork';
import { codex } from '../../../extension/agents/codex/format/adapter';
import type { Entry } from '../../../extension/engine/conversation/entry';
import { ForkRefused, forkPieces } from '../../../extension/sessions/fork/fork-format';
import { expectLinear } from '../../builders/linear';
import { wholeFile } from '../../builders/whole-file';
import { linesOf } from '../../sessions/build';
import { contextFaults } from '../../sessions/context-faults';
import { picture } from '../../sessions/picture';
import { fixtures } from '../../sessions/samples';
import { all, numbered } from './lines';
import {
  answered,
  called,
  codexSession,
  compacted,
  event,
  item,
  meta,
  record,
  replied,
  said,
  userItem,
} from './records';

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
  it('the context is one that a provider would accept, and its messages are entries of the session', () => {
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

  it('has a context that a provider would accept, at every point of the session', () => {
    for (let end = 1; end <= lines.length; end += 1) {
      const { agentContext } = codexSession(lines.slice(0, end)).conversation;
      expect(contextFaults(agentContext), `after line ${end}`).toEqual([]);
    }
  });

  it('is the same session if it was read after every line, and earlier entries stay the same objects', () => {
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

/** Nested deeper than the call stack allows. It is written as text, because no JSON serializer accepts it. */
const deep = (text: string) => text.replace('"DEEP"', `${'{"x":['.repeat(8000)}1${']}'.repeat(8000)}`);

describe('what is nested too deeply to be written again', () => {
  const anyId = { id: undefined };
  const lines = [
    meta,
    item({ ...userItem('q1', ''), content: [{ type: 'of_tomorrow', x: 'DEEP' }] }),
    item({ ...userItem('q2', ''), ...anyId, content: [{ type: 'of_tomorrow', x: 'DEEP' }] }),
    called('c1'),
    answered('c1', { of_tomorrow: 'DEEP' }),
    item({ type: 'tool_search_call', call_id: 'c2', arguments: 'DEEP' }),
    item({ type: 'tool_search_output', call_id: 'c2', tools: ['DEEP'] }),
    item({ type: 'additional_tools', tools: [{ name: 'look', parameters: 'DEEP' }] }),
    compacted([{ ...userItem('q2', ''), ...anyId, content: [{ type: 'of_tomorrow', x: 'DEEP' }] }]),
    record('world_state', { full: true, state: 'DEEP' }),
    event('of_tomorrow', { x: 'DEEP' }),
  ].map((line) => deep(JSON.stringify(line)));

  it('what is nested too deeply to be written again is shown as that', () => {
    const { entries, agentContext } = codexSession(lines).conversation;
    const tooDeep = '[What stands here is nested too deeply to be shown.]';
    expect(picture(entries).filter((line) => line.includes(tooDeep))).toHaveLength(5);
    expect(picture(agentContext)).toEqual([`user: ${tooDeep}`]);
    expect(codex.summarise(wholeFile(lines))).toMatchObject({ id: 'thread' });
  });

  it('what is nested too deeply to be written again is in no fork, which says why', async () => {
    const original = codexSession(lines);
    const chance = { uuid: () => '00000000-0000-4000-8000-000000000000', now: () => new Date(0) };
    const place = fork.place(original, chance);
    const copy = fork.copy({ original, place, lines: numbered(lines), before: null, chance });
    await expect(all(copy)).rejects.toThrow(ForkRefused);
    const pieces = forkPieces([], original.conversation);
    const tokens = { before: 1, after: 1 };
    const order = { session: original, lines: numbered(lines), pieces, tokens, chance };
    await expect(all(fork.compacted(order))).rejects.toThrow(ForkRefused);
  });
});

it('takes time in proportion to the length of a session', { timeout: 30_000 }, () => {
  const lines = Array.from({ length: 60_000 }, (_, index) => JSON.stringify(replied(`m${index}`, 'x')));
  expectLinear(7500, (size) => codexSession([JSON.stringify(meta), ...lines.slice(0, size)]));
});
