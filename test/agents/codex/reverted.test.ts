import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fork } from '../../../extension/agents/codex/fork/fork';
import { orderOf, RolloutFiles, rolloutName } from '../../../extension/agents/codex/format/rollout-names';
import { rolloutsBeside } from '../../../extension/agents/codex/format/rollouts';
import { openSession } from '../../../extension/sessions/open';
import type { Session } from '../../../extension/sessions/session';
import { linesOf } from '../../sessions/build';
import { picture } from '../../sessions/picture';
import { fixtures } from '../../sessions/samples';
import { nowhere } from '../../sessions/temporary';
import { all, numbered } from './lines';
import { codexSession } from './records';

/** A thread whose newest prompt was reverted and replaced three times. */
const folder = join(fixtures, 'codex-0.169/reverted/sessions/2026/11/22');
const thread = '01a20266-9082-7682-b55f-f194cafbe4cf';
const files = readdirSync(folder)
  .map((name) => join(folder, name))
  .sort((one, other) => orderIn(one).localeCompare(orderIn(other)));
const newest = files.at(-1) ?? '';

function orderIn(file: string): string {
  const name = rolloutName(file);
  return name === null ? '' : orderOf(name);
}

async function opened(file: string): Promise<Session> {
  const outcome = await openSession(file, { environment: nowhere });
  if (outcome.kind !== 'opened') throw new Error(String(outcome.message));
  return outcome.session;
}

const prompts = ({ conversation }: Pick<Session, 'conversation'>) =>
  conversation.agentContext
    .filter((entry) => entry.role === 'user' && !entry.injected)
    .flatMap((entry) => picture([entry]));

describe('a thread in which a person reverted something', () => {
  it.each([
    [0, ['user: TOOLS=0 one', 'user: TOOLS=0 two']],
    [1, ['user: TOOLS=0 one', 'user: TOOLS=0 three']],
    [2, ['user: TOOLS=0 one', 'user: TOOLS=0 four']],
    [3, ['user: TOOLS=0 one', 'user: TOOLS=0 five']],
  ])(
    'a thread in which a person reverted something is in each of its files (here %i) what Codex sent then',
    async (index, sent) => {
      const session = await opened(files[index] ?? '');
      expect(session.issues).toEqual([]);
      expect(session.id).toBe(thread);
      expect(prompts(session)).toEqual(sent);
      expect(session.conversation).not.toHaveProperty('beginsMidway');
    },
  );

  it('sends in its newest file what the real Codex sent: instructions, surroundings, and each message once', async () => {
    const { conversation } = await opened(newest);
    expect(conversation.agentContext.map((entry) => (entry.injected ? 'injected' : entry.role))).toEqual([
      'system',
      'system',
      'injected',
      'user',
      'assistant',
      'user',
      'assistant',
    ]);
  });

  it('a thread in which a person reverted something is found by its newest file, and each file by its own id', () => {
    const { findThread, findSegment } = rolloutsBeside(files[1] ?? '');
    expect(findThread(thread)).toBe(newest);
    expect(findSegment(thread)).toBe(files[0]);
    expect(files.map((file) => findSegment(rolloutName(file)?.segment ?? ''))).toEqual(files);
  });

  it('a thread in which a person reverted something is copied whole out of its newest file', async () => {
    const original = await opened(newest);
    const chance = { uuid: () => '00000000-0000-4000-8000-000000000000', now: () => new Date(0) };
    const lines = numbered(linesOf(newest));
    const place = fork.place(original, chance);
    const copy = await all(fork.copy({ original, place, lines, before: null, chance }));
    expect(copy[0]).not.toContain('history_base');
    expect(picture(codexSession(copy).conversation.agentContext)).toEqual(picture(original.conversation.agentContext));
  });
});

describe('the name of a file', () => {
  it('names the thread, and which of its files this is', () => {
    expect(rolloutName('/s/rollout-2026-11-22T08-36-45-t-1.jsonl')).toEqual({ thread: 't-1', segment: 't-1' });
    expect(rolloutName('/s/rollout-2026-11-22T08-36-46-t-1_s-2.jsonl')).toEqual({ thread: 't-1', segment: 's-2' });
    expect(rolloutName('/s/rollout-2026-11-22T08-36-46-t-1_s-2.jsonl.zst')).toBeNull();
    expect(rolloutName('/s/notes.jsonl')).toBeNull();
  });

  it('makes the newest of a thread found, in whatever order a folder lists them', () => {
    const names = ['a', 'a_1', 'a_2', 'b'].map((ids) => `rollout-2026-11-22T08-36-45-${ids}.jsonl`);
    for (const order of [names, names.toReversed()]) {
      const found = new RolloutFiles();
      found.add('/s', order);
      expect(found.newestOf('a')).toBe(join('/s', 'rollout-2026-11-22T08-36-45-a_2.jsonl'));
      expect([found.newestOf('1'), found.newestOf('c')]).toEqual([null, null]);
    }
  });
});
