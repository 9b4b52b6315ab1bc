import { describe, expect, it } from 'vitest';
import { countWithO200k } from '../../../extension/engine/conversation/tokenizer';
import {
  countSessionWith,
  maxImmediateLength,
  needsCountingThread,
} from '../../../extension/host/counting/session-counting';
import { SessionViewBuilder } from '../../../extension/host/view/session-view';
import { Inspection } from '../../../extension/inspection/inspection';
import type { Session } from '../../../extension/sessions/session';
import { toolsWithoutModel } from '../../../extension/summarizers/without-model';
import { talk, user } from '../../builders/conversation';
import { forks, settings } from '../../builders/view-surroundings';
import { byHand, newJournal, realSession } from './opened';

const { signal } = new AbortController();
const order = { strategy: 'tool-calls', instructions: null, parameters: {}, tools: toolsWithoutModel, signal };

/** A session whose counting the test controls. */
async function estimated() {
  const session = await realSession();
  const mayCount = byHand();
  const count = countSessionWith(async (texts) => texts.map(countWithO200k), signal, unexpected);
  const inspection = Inspection.estimated(session, await newJournal(session), 200_000, async (ledger, current) => {
    await mayCount.promise;
    await count(ledger, current);
  });
  return { session, inspection, mayCount };
}

describe('a session that is still being counted', () => {
  it('a session that is still being counted is one with much text', async () => {
    const session = await realSession();
    const [first] = session.conversation.agentContext;
    if (!first) throw new Error('the session is empty');
    const withText = (text: string) => ({
      ...session,
      conversation: { ...session.conversation, agentContext: [{ ...first, parts: [{ type: 'text', text } as const] }] },
    });
    expect(needsCountingThread(withText('a'.repeat(maxImmediateLength)))).toBe(false);
    expect(needsCountingThread(withText('a'.repeat(maxImmediateLength + 1)))).toBe(true);
  });

  it('shows estimates at once, and then counts in the gauge and in every row with text', async () => {
    const { session, inspection, mayCount } = await estimated();
    const builder = new SessionViewBuilder();
    const before = builder.build(inspection, settings, forks);
    expect(inspection.isCounting).toBe(true);
    expect(before.gauge.source).toBe('counting');

    mayCount.resolve();
    await inspection.counted;
    const after = builder.build(inspection, settings, forks);
    const atOnce = await Inspection.of(session, await newJournal(session));
    const expected = new SessionViewBuilder().build(atOnce, settings, forks);
    expect(inspection.isCounting).toBe(false);
    expect(after.gauge).toEqual(expected.gauge);
    expect(after.rows).toEqual(expected.rows);
    expect(after.rows.map(({ key }) => key)).toEqual(before.rows.map(({ key }) => key));
    const changed = after.rows.filter((row, index) => row.tokens !== before.rows[index]?.tokens);
    expect(changed.length).toBeGreaterThan(after.rows.length / 2);
    expect(after.rows.some((row) => before.rows.includes(row))).toBe(false);
  });

  it('prepares a compaction after counting, with the same numbers as a session counted at once', async () => {
    const { session, inspection, mayCount } = await estimated();
    const preparing = inspection.prepare(order);
    expect(await Promise.race([preparing, later('still waiting')])).toBe('still waiting');
    mayCount.resolve();
    const run = await preparing;
    await inspection.apply(run);

    const atOnce = await Inspection.of(session, await newJournal(session));
    await atOnce.apply(await atOnce.prepare(order));
    const numbers = ({ journal }: Inspection) =>
      journal.state.compactions.map(({ record }) => [record.tokensBefore, record.tokensAfter]);
    expect(numbers(inspection).length).toBeGreaterThan(0);
    expect(numbers(inspection)).toEqual(numbers(atOnce));
  });

  it('excludes nothing from the context before it is counted', async () => {
    const { inspection, mayCount } = await estimated();
    const { key = '' } = inspection.context.messages.find(({ kind }) => kind === 'tool_call') ?? {};
    const excluding = inspection.exclude(key, toolsWithoutModel);
    expect(await Promise.race([excluding, later('still waiting')])).toBe('still waiting');
    expect(inspection.journal.state.compactions).toEqual([]);
    mayCount.resolve();
    await excluding;
    const [{ record } = { record: null }] = inspection.journal.state.compactions;
    const replaced = inspection.session.conversation.entries.filter(({ id }) => record?.entryIds.includes(id));
    const counted = replaced.reduce((sum, entry) => sum + inspection.ledger.ofEntry(entry), 0);
    expect(record?.tokensBefore).toBe(counted);
  });

  it('a session that is still being counted is counted on the host if the thread fails, and reports the failure', async () => {
    const session = longer(await realSession());
    const failures: unknown[] = [];
    const failing = countSessionWith(
      () => Promise.reject(new Error('out of memory')),
      signal,
      (error) => failures.push(error),
    );
    const inspection = Inspection.estimated(session, await newJournal(session), 200_000, failing);
    const run = await inspection.prepare(order);
    const atOnce = await Inspection.of(session, await newJournal(session));
    expect(failures.map(String)).toEqual(['Error: out of memory']);
    expect(inspection.isCounting).toBe(false);
    expect(run.before.tokens).toEqual(atOnce.context.tokens);
  });

  it('reports only the closing when it is closed', async () => {
    const session = longer(await realSession());
    const closing = new AbortController();
    const failures: unknown[] = [];
    const count = countSessionWith(
      async () => {
        closing.abort(new Error('The session was closed.'));
        throw closing.signal.reason;
      },
      closing.signal,
      (error) => failures.push(error),
    );
    const inspection = Inspection.estimated(session, await newJournal(session), 200_000, count);
    await expect(inspection.counted).rejects.toThrow('The session was closed.');
    expect(failures).toEqual([]);
  });

  it('lets a person stop waiting', async () => {
    const { inspection } = await estimated();
    const controller = new AbortController();
    const preparing = inspection.prepare({ ...order, signal: controller.signal });
    controller.abort(new Error('cancelled'));
    await expect(preparing).rejects.toThrow('cancelled');
  });

  it('refuses waiting operations when it is closed', async () => {
    const { inspection, mayCount } = await estimated();
    const preparing = inspection.prepare(order);
    mayCount.reject(new Error('The session was closed.'));
    await expect(preparing).rejects.toThrow('The session was closed.');
    expect(inspection.isCounting).toBe(true);
  });
});

function unexpected(error: unknown): never {
  throw error;
}

/** More than the host counts at once. */
function longer(session: Session): Session {
  const { conversation } = session;
  const long = talk(user('w '.repeat(maxImmediateLength)));
  return {
    ...session,
    conversation: { ...conversation, agentContext: [...conversation.agentContext, ...long.agentContext] },
  };
}

async function later<T>(value: T): Promise<T> {
  await new Promise((resolve) => setTimeout(resolve, 20));
  return value;
}
