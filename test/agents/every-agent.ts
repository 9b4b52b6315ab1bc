import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canCompactInPlace } from '../../extension/inspection/fork/forkable';
import { adapterOf, adapters } from '../../extension/sessions/adapters';
import { contextFaults } from '../sessions/context-faults';
import type { Agent } from './agent';
import {
  beforeNewestReply,
  contextsThroughout,
  linesLost,
  reportedUsages,
  sentIn,
  shownIn,
  shownUsages,
  turnsOf,
} from './compare';
import { describeCompactionInPlace, describeForks } from './forks';
import { install } from './install';
import { type Laboratory, setUp } from './laboratory';
import { describeMendedForks } from './mended';
import { type Chapter, type Story, tell } from './story';
import { delegates, describeSubagents } from './subagents';
import { shapesFolder, shapesOfRequests, shapesOfSession } from './tried/shapes';

const storyMinutes = 10 * 60_000;

/**
 * Tests for every agent: run it, and compare what it sent with what Strata shows. `how` distinguishes several runs of
 * one agent.
 */
export async function describeAgent(agent: Agent, how = 'as it is'): Promise<void> {
  const ready = await readiness(agent);
  if (ready.kind === 'not-ready') {
    console.warn(`Skipped: ${ready.reason}`);
    describe.skip(`${agent.id} (${ready.reason})`, () => {
      it('is compared with what the agent sends', () => undefined);
    });
    return;
  }
  describe(`${agent.id} ${ready.version} ${how}`, () => {
    let laboratory: Laboratory;
    let story: Story;
    const chapters = () => story.chapters;
    beforeAll(async () => {
      laboratory = await setUp(agent, ready.program);
      story = await tell(agent, laboratory);
    }, storyMinutes);
    afterAll(() => {
      if (story !== undefined) recordShapes(agent, story);
      laboratory?.close();
    });

    it.skipIf(agent.compact === undefined)('compacts once', () => {
      expect(chapters().map(({ exchanges }) => exchanges.some(({ reply }) => reply.purpose === 'summary'))).toContain(
        true,
      );
      expect(last(chapters()).after.conversation.agentCompactions).toHaveLength(1);
    });

    it('is shown as it sent its newest request', () => {
      const compared = chapters().flatMap((chapter) => newestRequest(agent, chapter));
      expect(compared.length).toBeGreaterThanOrEqual(Math.max(1, chapters().length - 1));
      for (const { sent, shown } of compared) expect(shown).toEqual(sent);
    });

    it.skipIf(agent.resume === undefined)('leaves out nothing of what was shown when it goes on', () => {
      for (const { name, before, exchanges } of chapters().slice(1)) {
        const [first] = turnsOf(exchanges);
        if (before === null || first === undefined || name === 'compaction') continue;
        expect(linesLost(shownIn(agent, before.conversation.agentContext), sentIn(agent, first))).toEqual([]);
      }
    });

    const adapter = adapterOf(agent.id);
    it.skipIf(adapter.kind === 'store')('was shown at some line of its file as it sent each request', () => {
      if (adapter.kind !== 'lines') return;
      const shown = contextsThroughout(agent, adapter, story.name.file);
      const requests = chapters().flatMap(({ exchanges }) => turnsOf(exchanges));
      const unseen = requests.map((request) => sentIn(agent, request).join('\n')).filter((sent) => !shown.has(sent));
      expect(unseen).toEqual([]);
    });

    it('has its usage counted once, as the provider reported it', () => {
      const shown = shownUsages(last(chapters()).after.conversation.entries);
      expect(shown).toEqual(
        reportedUsages(
          chapters().flatMap(({ exchanges }) => exchanges),
          shown,
        ),
      );
    });

    it.skipIf(agent.resume === undefined)('is followed while it writes, without a missed or a doubled message', () => {
      for (const { followed, after } of chapters().slice(1)) {
        expect(followed.at(-1)?.conversation).toEqual(after.conversation);
        for (const [index, { conversation }] of followed.entries()) {
          const ids = conversation.entries.map(({ id }) => id);
          expect(new Set(ids).size).toBe(ids.length);
          const earlier = followed[index - 1]?.conversation.entries.map(({ id }) => id) ?? [];
          expect(ids.filter((id) => earlier.includes(id))).toEqual(earlier);
        }
      }
    });

    it('is a context that a provider takes, without an issue', () => {
      for (const { after } of chapters()) {
        expect(contextFaults(after.conversation.agentContext)).toEqual([]);
        expect(after.issues).toEqual([]);
      }
    });

    if (delegates(agent)) describeSubagents(agent, () => laboratory);
    if (adapterOf(agent.id).fork !== undefined) describeForks(agent, () => ({ laboratory, story }));
    if (adapterOf(agent.id).fork !== undefined) describeMendedForks(agent, () => laboratory);
    if (canCompactInPlace(agent.id)) describeCompactionInPlace(agent, () => laboratory);
  });
}

function recordShapes({ id }: Agent, { name, chapters }: Story): void {
  if (shapesFolder === undefined) return;
  const exchanges = chapters.flatMap((chapter) => chapter.exchanges);
  const shapes = { session: shapesOfSession(name.file), requests: shapesOfRequests(exchanges) };
  writeFileSync(join(shapesFolder, `${id}.json`), JSON.stringify(shapes));
}

type Readiness =
  | { readonly kind: 'ready'; readonly program: string; readonly version: string }
  | { readonly kind: 'not-ready'; readonly reason: string };

async function readiness(agent: Agent): Promise<Readiness> {
  if (!adapters.some((adapter) => adapter.agent === agent.id)) {
    return { kind: 'not-ready', reason: `Strata reads no sessions of ${agent.id} yet` };
  }
  const installation = await install(agent);
  return installation.kind === 'installed'
    ? { ...installation, kind: 'ready' }
    : { kind: 'not-ready', reason: installation.reason };
}

/** The newest request of a run, and the session after it without the reply to it. Null if the run sent no request. */
function newestRequest(agent: Agent, { name, exchanges, after }: Chapter) {
  const newest = turnsOf(exchanges).at(-1);
  if (newest === undefined) return [];
  const shown = shownIn(agent, beforeNewestReply(after.conversation.agentContext));
  return [{ sent: [name, ...sentIn(agent, newest)], shown: [name, ...shown] }];
}

function last<T>(list: readonly T[]): T {
  const [item] = list.slice(-1);
  if (item === undefined) throw new Error('The list is empty');
  return item;
}
