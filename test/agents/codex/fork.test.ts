import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fork } from '../../../extension/agents/codex/fork/fork';
import type { Entry } from '../../../extension/engine/conversation/entry';
import { type ForkPiece, ForkRefused } from '../../../extension/sessions/fork/fork-format';
import type { ParsedSession } from '../../../extension/sessions/session';
import { linesOf } from '../../sessions/build';
import { contextFaults } from '../../sessions/context-faults';
import { picture } from '../../sessions/picture';
import { fixtures } from '../../sessions/samples';
import { all, numbered } from './lines';
import { codexSession, compacted, event, meta, record, replied, said } from './records';

const chance = (() => {
  let count = 0;
  return {
    uuid: () => `00000000-0000-4000-8000-${String(count++).padStart(12, '0')}`,
    now: () => new Date(2026, 0, 2, 3, 4, 5),
  };
})();

async function copyOf(lines: readonly string[], before: Entry | null = null): Promise<string[]> {
  const original = codexSession(lines);
  return all(fork.copy({ original, place: fork.place(original, chance), lines: numbered(lines), before, chance }));
}

async function withPieces(lines: readonly string[], pieces: readonly ForkPiece[]): Promise<string[]> {
  const tokens = { before: 100, after: 10 };
  const session = codexSession(lines);
  return [...lines, ...(await all(fork.compacted({ session, lines: numbered(lines), pieces, tokens, chance })))];
}

const fixture = (name: string) => linesOf(join(fixtures, 'codex-0.169', `${name}.jsonl`)).filter((line) => line !== '');
const compactedLines = fixture('after-compaction');
const spoken = (session: ParsedSession) => session.conversation.agentContext.filter((entry) => entry.role !== 'system');
const pictureOf = (session: ParsedSession) => picture(session.conversation.agentContext);

describe('the place of a fork', () => {
  const original = { ...codexSession([meta]), file: '/home/ada/.codex/sessions/2025/12/31/rollout-x-thread.jsonl' };

  it('the place of a fork is the folder of its day, by an id that begins with the time', () => {
    const { id, file } = fork.place(original, chance);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(chance.now().getTime());
    expect(file).toBe(`/home/ada/.codex/sessions/2026/01/02/rollout-2026-01-02T03-04-05-${id}.jsonl`);
  });

  it('the place of a fork is not the folder of archived sessions', () => {
    const archived = { ...original, file: '/home/ada/.codex/archived_sessions/rollout-x-thread.jsonl' };
    expect(fork.place(archived, chance).file).toMatch(/^\/home\/ada\/\.codex\/sessions\/2026\/01\/02\/rollout-/);
  });
});

describe('a copy', () => {
  it('sends what its original sends, under an id of its own', async () => {
    const original = codexSession(compactedLines);
    const copy = await copyOf(compactedLines);
    const session = codexSession(copy);
    expect(session.id).not.toBe(original.id);
    expect(JSON.parse(copy[0] ?? '')).toMatchObject({
      payload: { session_id: session.id, forked_from_id: original.id },
    });
    expect(copy.slice(1).join('\n')).not.toContain(original.id);
    expect(session.conversation.agentContext.map(({ parts }) => parts)).toEqual(
      original.conversation.agentContext.map(({ parts }) => parts),
    );
  });

  it('leaves out a broken line, and renumbers the rest', async () => {
    const copy = await copyOf(compactedLines.toSpliced(20, 1, '{"torn'));
    expect(copy.map((line) => JSON.parse(line).ordinal)).toEqual(copy.map((_line, index) => index));
    expect(copy).toHaveLength(compactedLines.length - 1);
  });

  const prompts = codexSession(compactedLines).conversation.entries.filter(
    (entry) => entry.role === 'user' && !entry.injected,
  );

  it.each(prompts.slice(1))('before the prompt on line $origin.line sends what was sent then', async (before) => {
    const copy = codexSession(await copyOf(compactedLines, before));
    const sentBefore = codexSession(compactedLines.slice(0, before.origin.line - 1));
    expect(pictureOf(copy)).toEqual(pictureOf(sentBefore));
    expect(copy.awaitsReply).toBe(false);
  });

  it('a copy before the first prompt is a session in which Codex has said nothing yet', async () => {
    const copy = await copyOf(compactedLines, prompts[0]);
    expect(copy.map((line) => JSON.parse(line).type)).toEqual(['session_meta']);
  });

  it('a copy before a prompt has no record of the turn that it opened', async () => {
    const turn = (id: string) => [event('task_started', { turn_id: id }), record('turn_context', { turn_id: id })];
    const lines = [meta, ...turn('1'), said('q1', 'one'), replied('a1', 'ok'), ...turn('2'), said('q2', 'two')];
    const texts = lines.map((line) => JSON.stringify(line));
    const copy = await copyOf(texts, codexSession(texts).conversation.entries[2] ?? null);
    expect(copy.slice(1)).toEqual(texts.slice(1, 5));
  });

  it('keeps the settings that a compaction ends with', async () => {
    const compaction = [compacted([]), record('world_state', { full: true }), record('turn_context', { model: 'gpt' })];
    const lines = [meta, said('q1', 'one'), ...compaction, event('task_started'), said('q2', 'two')];
    const texts = lines.map((line) => JSON.stringify(line));
    const copy = await copyOf(texts, codexSession(texts).conversation.entries[1] ?? null);
    expect(copy.slice(1)).toEqual(texts.slice(1, 5));
  });

  it('a copy of a subagent’s thread is a thread of its own', async () => {
    const name = 'with-subagent/rollout-2026-11-22T07-08-06-01a20215-669a-7611-9c0c-8f6bdd797ad8';
    expect(codexSession(fixture(name)).parent).toBeDefined();
    expect(codexSession(await copyOf(fixture(name))).parent).toBeUndefined();
  });

  it('a copy is refused if the prompt is of another session', async () => {
    const [, , other] = codexSession([meta, meta, meta, said('q', 'x'), said('r', 'y'), said('s', 'z')]).conversation
      .entries;
    await expect(copyOf([JSON.stringify(meta)], other ?? null)).rejects.toThrow(ForkRefused);
  });
});

describe('a compacted fork', () => {
  it('sends the block in place of what it replaces, and the rest unchanged', async () => {
    const newest = spoken(codexSession(compactedLines)).slice(-4);
    const lines = await withPieces(compactedLines, [
      { kind: 'text', role: 'user', text: '[GOAL BATCH] all before' },
      ...newest.map((entry): ForkPiece => ({ kind: 'original', entry })),
    ]);
    const session = codexSession(lines);
    expect(picture(spoken(session))).toEqual(['summary: [GOAL BATCH] all before', ...picture(newest)]);
    expect(spoken(session).slice(1)).toEqual(newest);
    expect(session.conversation.agentContext.filter(({ role }) => role === 'system')).toHaveLength(2);
  });

  it('repeats the environment that Codex has described, so that Codex does not describe it twice', async () => {
    const lines = await withPieces(compactedLines, [{ kind: 'text', role: 'user', text: 'short' }]);
    const added = lines.slice(compactedLines.length).map((line) => JSON.parse(line));
    expect(added.map(({ type }) => type)).toEqual(['compacted', 'world_state', 'turn_context']);
    expect(added.map(({ ordinal }) => ordinal)).toEqual([151, 152, 153]);
  });

  it('writes the items of a message as the file has them', async () => {
    const reply = spoken(codexSession(compactedLines)).find((entry) => entry.role === 'assistant');
    if (reply === undefined) throw new Error('There is no reply');
    const lines = await withPieces(compactedLines, [{ kind: 'original', entry: reply }]);
    const { replacement_history } = JSON.parse(lines[compactedLines.length] ?? '').payload;
    const recorded = compactedLines.map((line) => JSON.parse(line).payload);
    const ids = replacement_history
      .filter(({ role }: Entry) => (role as string) !== 'developer')
      .map(({ id }: Entry) => id);
    expect(ids).toHaveLength(reply.parts.length);
    for (const item of replacement_history) {
      if (ids.includes(item.id)) expect(recorded).toContainEqual(item);
    }
  });

  it('sends a result without its text, and one that Codex made up', async () => {
    const records = fixture('picture-and-interruptions');
    const at = records.findIndex((line) => line.includes('"function_call_output"'));
    const cut = [...records.slice(0, at), JSON.stringify(said('q', 'on'))];
    const context = spoken(codexSession(cut));
    expect(picture(context).at(-2)).toMatch(/→ aborted !$/);
    const whole = spoken(codexSession(records));
    const pruned = (entry: Entry): ForkPiece => {
      const [part] = entry.parts;
      return part?.type === 'tool_result'
        ? { kind: 'edited', entry, parts: [{ ...part, text: '[PRUNED]' }] }
        : { kind: 'original', entry };
    };
    const forked = codexSession(await withPieces(records, whole.map(pruned)));
    expect(picture(spoken(forked)).filter((line) => line.startsWith('tool:'))).toEqual([
      expect.stringMatching(/→ \[PRUNED\]$/),
    ]);
    const madeUp = context.map(
      (entry): ForkPiece =>
        entry.id.includes(':no-result:') ? { kind: 'edited', entry, parts: entry.parts } : { kind: 'original', entry },
    );
    const picturesOf = (entries: readonly Entry[]) => picture(entries).map((line) => line.replace(/ !$/, ''));
    expect(picturesOf(spoken(codexSession(await withPieces(cut, madeUp))))).toEqual(picturesOf(context));
  });

  it('a compacted fork is refused if a reply with calls would be read differently', async () => {
    const reply = spoken(codexSession(compactedLines)).find((entry) =>
      entry.parts.some(({ type }) => type === 'tool_call'),
    );
    if (reply === undefined) throw new Error('There is no reply with calls');
    const edited: ForkPiece = { kind: 'edited', entry: reply, parts: reply.parts.slice(1) };
    await expect(withPieces(compactedLines, [edited])).rejects.toThrow(ForkRefused);
  });

  it.each(['after-compaction', 'remote-compaction', 'picture-and-interruptions'])(
    'of %s sends any choice of messages as they are, and nothing that a provider would refuse',
    async (name) => {
      const lines = fixture(name);
      const context = spoken(codexSession(lines));
      const block: ForkPiece = { kind: 'text', role: 'assistant', text: '[SUMMARIZED] a block' };
      await fc.assert(
        fc.asyncProperty(fc.subarray(context), fc.nat(), async (chosen, at) => {
          const originals = chosen.map((entry): ForkPiece => ({ kind: 'original', entry }));
          const pieces = originals.toSpliced(at % (originals.length + 1), 0, block);
          const { agentContext } = codexSession(await withPieces(lines, pieces)).conversation;
          expect(contextFaults(agentContext)).toEqual([]);
          const ids = chosen.filter(({ role }) => role !== 'tool').map(({ id }) => id);
          expect(agentContext.map(({ id }) => id).filter((id) => ids.includes(id))).toEqual(ids);
          expect(picture(agentContext).filter((line) => line.includes('a block'))).toHaveLength(1);
        }),
        { numRuns: 40 },
      );
    },
  );
});
