import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Entry, textOf } from '../../extension/engine/conversation/entry';
import { compactInPlace } from '../../extension/inspection/fork/compact-in-place';
import type { Fork } from '../../extension/inspection/fork/fork';
import { forkSession } from '../../extension/inspection/fork/fork-session';
import { Inspection } from '../../extension/inspection/inspection';
import { openJournal } from '../../extension/inspection/journal-store';
import type { Session } from '../../extension/sessions/session';
import { toolsWithoutModel } from '../../extension/summarizers/without-model';
import type { Agent, Command, SessionName } from './agent';
import { beforeNewestReply, linesLost, sentIn, shownIn, turnsOf } from './compare';
import type { Laboratory } from './laboratory';
import { begin, type Chapter, goOn, type Story } from './story';

const minutes = 60_000;

/** Tests that a fork takes effect in the agent: they compare what it sends when it continues the fork. */
export function describeForks(
  agent: Agent,
  told: () => { readonly laboratory: Laboratory; readonly story: Story },
): void {
  describe('a fork with a compaction of Strata', () => {
    let inspection: Inspection;
    let bytes: Buffer;
    let fork: Fork;
    let resumed: Chapter;
    beforeAll(async () => {
      const { laboratory } = told();
      inspection = await compactedSession(agent, laboratory);
      bytes = readFileSync(inspection.session.file);
      fork = await forkSession(inspection);
      resumed = await goOn(laboratory, fork, 'fork', goingOn(agent, fork, 'TOOLS=1 in the fork'));
    }, 5 * minutes);

    it('has the block in place of the older messages when the agent continues with it', () => {
      const blocks = inspection.context.messages.filter(({ block }) => block !== undefined);
      const sent = firstRequest(agent, resumed).join('\n');
      expect(blocks).not.toHaveLength(0);
      for (const { parts } of blocks) expect(sent).toContain(textOf(parts).split('\n')[0]);
      expect(sent).not.toMatch(/^call \d+: .*\n/m);
    });

    it('sends all that Strata showed, and the prompt', () => {
      const sent = firstRequest(agent, resumed);
      // The agent writes its own system prompt again, or the notes that replace it, so they are not compared.
      const shown = inspection.context.messages.filter(({ role, injected }) => role !== 'system' && !injected);
      expect(linesLost(shownIn(agent, shown), sent)).toEqual([]);
      expect(sent.join('\n')).toContain('TOOLS=1 in the fork');
    });

    it('is shown as the agent sent it', () => {
      const newest = turnsOf(resumed.exchanges).at(-1);
      expect(newest && sentIn(agent, newest)).toEqual(
        shownIn(agent, beforeNewestReply(resumed.after.conversation.agentContext)),
      );
    });

    it('leaves the original as it was, byte for byte', () => {
      expect(fork.file).not.toBe(inspection.session.file);
      expect(readFileSync(inspection.session.file).equals(bytes)).toBe(true);
    });
  });

  describe('a fork before a prompt that a compaction of the agent replaced', () => {
    it(
      'makes the agent send what it sent with that prompt',
      async () => {
        const { laboratory, story } = told();
        const parallel = story.chapters.find(({ name }) => name === 'parallel');
        const session = await laboratory.open(story.name.file);
        const prompt = session.conversation.entries.find((entry) => isPrompt(entry, 'PARALLEL'));
        expect(prompt).toBeDefined();
        const fork = await forkSession(await inspect(laboratory, session), { before: prompt?.id ?? '' });
        const resumed = await goOn(laboratory, fork, 'branch', goingOn(agent, fork, fork.prompt ?? ''));
        expect(firstRequest(agent, resumed)).toEqual(parallel && firstRequest(agent, parallel));
      },
      5 * minutes,
    );
  });
}

/** Tests for agents whose sessions Strata may write into if a person asks for it. */
export function describeCompactionInPlace(agent: Agent, laboratory: () => Laboratory): void {
  it(
    'goes on from a compaction that Strata appended to the session itself',
    async () => {
      const inspection = await compactedSession(agent, laboratory());
      const { file } = inspection.session;
      const before = readFileSync(file);
      await compactInPlace(inspection);
      expect(readFileSync(file).subarray(0, before.length).equals(before)).toBe(true);
      const prompt = goingOn(agent, inspection.session, 'TOOLS=0 in place');
      const sent = firstRequest(agent, await goOn(laboratory(), inspection.session, 'in place', prompt));
      const shown = inspection.context.messages.filter(({ role, injected }) => role !== 'system' && !injected);
      expect(linesLost(shownIn(agent, shown), sent)).toEqual([]);
      expect(sent.filter((line) => line.startsWith('call '))).toEqual([]);
    },
    5 * minutes,
  );
}

/** A session of several turns, whose older ones Strata has replaced by a block. */
async function compactedSession(agent: Agent, laboratory: Laboratory): Promise<Inspection> {
  const { after } = await begin(laboratory, agent.prompt('TOOLS=2 read the file'));
  await laboratory.run(goingOn(agent, after, 'TOOLS=0 say more'));
  const inspection = await inspect(laboratory, await laboratory.open(after.file));
  const { signal } = new AbortController();
  const order = { strategy: 'checkpoint', instructions: null, tools: toolsWithoutModel, signal };
  const run = await inspection.prepare({ ...order, parameters: { checkpoint: { keepRecentTokens: 20 } } });
  if (run.records.length === 0) throw new Error(`There was nothing to compact: ${JSON.stringify(run)}`);
  await inspection.apply(run);
  return inspection;
}

function goingOn({ id, resume }: Agent, session: SessionName, text: string): Command {
  if (resume === undefined) throw new Error(`Strata writes forks for ${id}, but nothing here goes on with one`);
  return resume(session, text);
}

async function inspect({ place }: Laboratory, session: Session): Promise<Inspection> {
  const { agent, id, file } = session;
  return await Inspection.of(session, await openJournal(join(place.home, 'journals'), { agent, id, file }));
}

function firstRequest(agent: Agent, { exchanges }: Chapter): string[] {
  const [first] = turnsOf(exchanges);
  return first === undefined ? [] : sentIn(agent, first);
}

function isPrompt(entry: Entry, words: string): boolean {
  return entry.role === 'user' && !entry.injected && !entry.summary && textOf(entry.parts).includes(words);
}
