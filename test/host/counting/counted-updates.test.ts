import { beforeEach, describe, expect, it } from 'vitest';
import { CountedUpdates } from '../../../extension/host/counting/counted-updates';
import { maxImmediateLength } from '../../../extension/host/counting/session-counting';
import { Inspection } from '../../../extension/inspection/inspection';
import type { Session } from '../../../extension/sessions/session';
import { type Said, talk, user } from '../../builders/conversation';
import { byHand, newJournal, realSession } from './opened';

const little = user('a few words');
const much = user('w '.repeat(maxImmediateLength));
const muchMore = user('m '.repeat(maxImmediateLength));

let inspection: Inspection;
let opened: Session;

beforeEach(async () => {
  opened = await realSession();
  inspection = await Inspection.of(opened, await newJournal(opened));
});

function sessionOf(...said: Said[]): Session {
  return { ...opened, conversation: talk(said) };
}

/** Updates whose counting the test controls. `shown` records what became visible, in order. */
function following() {
  const controller = new AbortController();
  const shown: Session[] = [];
  const failures: unknown[] = [];
  const waiting: ReturnType<typeof byHand>[] = [];
  const updates = new CountedUpdates(inspection, {
    signal: controller.signal,
    onShown: () => shown.push(inspection.session),
    onFailure: (error) => failures.push(error),
    count: async (texts) => {
      const counting = byHand();
      waiting.push(counting);
      await counting.promise;
      return texts.map(() => 1);
    },
  });
  return { updates, shown, failures, waiting, controller };
}

describe('a session that grows', () => {
  it('shows a small update at once', () => {
    const { updates, shown, waiting } = following();
    const first = sessionOf(little);
    updates.take(first);
    expect(shown).toEqual([first]);
    expect(waiting).toEqual([]);
  });

  it('shows a large update after it is counted', async () => {
    const { updates, shown, waiting } = following();
    const first = sessionOf(much);
    updates.take(first);
    expect(shown).toEqual([]);
    expect(inspection.session).toBe(opened);
    waiting[0]?.resolve();
    await expect.poll(() => shown).toEqual([first]);
    // A message has its text, counted as one token above, and the overhead of the chat format.
    expect(inspection.context.messages[0]?.tokens).toBe(1 + 4);
  });

  it('shows updates in order, and only the newest of those that arrived meanwhile', async () => {
    const { updates, shown, waiting } = following();
    const [first, second, third] = [sessionOf(much), sessionOf(much, little), sessionOf(much, little, muchMore)];
    updates.take(first);
    updates.take(second);
    updates.take(third);
    expect(shown).toEqual([]);
    waiting[0]?.resolve();
    await expect.poll(() => waiting.length).toBe(2);
    expect(shown).toEqual([first]);
    waiting[1]?.resolve();
    await expect.poll(() => shown).toEqual([first, third]);
  });

  it('shows nothing after it is closed', async () => {
    const { updates, shown, waiting, failures, controller } = following();
    updates.take(sessionOf(much));
    controller.abort();
    waiting[0]?.reject(controller.signal.reason);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(shown).toEqual([]);
    expect(failures).toEqual([]);
  });

  it('shows an update that could not be counted in advance, and reports the failure', async () => {
    const { updates, shown, waiting, failures } = following();
    const first = sessionOf(much);
    updates.take(first);
    waiting[0]?.reject(new Error('no memory'));
    await expect.poll(() => shown).toEqual([first]);
    expect(failures).toEqual([new Error('no memory')]);
  });
});
