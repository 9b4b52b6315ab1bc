import { describe, expect, it } from 'vitest';
import { targetWithoutModel } from '../../../extension/engine/strategies/target';
import { autoCompactView, noticeViews } from '../../../extension/host/view/notices';
import { noOwnCompactionFacts } from '../../../extension/inspection/agent-threshold';
import type { Inspection } from '../../../extension/inspection/inspection';
import { contextOf, emptyState, pricedTalk } from '../../builders/run';
import { settings as usual } from '../../builders/view-surroundings';

const settings = {
  ...usual,
  strategy: 'ladder',
  // With a target that the person set, output is not cleared below it. Otherwise clearing would save money at once.
  parameters: { ladder: { target: targetWithoutModel } },
  automation: { ...usual.automation, enabled: true, schedule: 'cost', floorTokens: 0, pauseTokens: 0 } as const,
};

/** A conversation that fills most of its window. The last reply was some minutes ago. */
function inspected(agent: 'strata' | 'pi', minutesAgo: number): Inspection {
  const { priced: conversation, size } = pricedTalk(new Date(Date.now() - minutesAgo * 60_000).toISOString());
  const context = contextOf(conversation, emptyState);
  const { agentCompactions } = conversation;
  const session = { agent, conversation: { ...conversation, agentCompactions } };
  const journal = { state: emptyState };
  const surroundings = { conversation, context, contextInAgent: context, state: emptyState, journal, session };
  const state = { isInUse: true, isStrataInside: true, unread: null, ownCompaction: noOwnCompactionFacts };
  return { ...surroundings, ...state, contextWindow: size * 1.1 } as unknown as Inspection;
}

describe('what the views say of automatic compaction by cost', () => {
  it('is why it waits or starts, and no size', () => {
    expect(autoCompactView(inspected('strata', 1), settings)).toMatchObject({
      startsAt: null,
      schedule: {
        isNext: false,
        reason: expect.stringMatching(/^Automatic compaction waits until the provider no longer has/),
      },
    });
    expect(autoCompactView(inspected('strata', 90), settings).schedule).toEqual({
      isNext: true,
      reason: expect.stringMatching(/^Automatic compaction starts before the next message: /),
    });
    expect(noticeViews(inspected('strata', 1), settings).map(({ kind }) => kind)).not.toContain('auto-compact-soon');
  });

  it('is the size if it goes by size: by setting, and inside other agents', () => {
    const bySize = { ...settings, automation: { ...settings.automation, schedule: 'size' } as const };
    for (const view of [
      autoCompactView(inspected('strata', 1), bySize),
      autoCompactView(inspected('pi', 1), settings),
    ]) {
      expect(view.schedule).toBeNull();
      expect(view.startsAt).toBeGreaterThan(0);
    }
  });

  it('is that it starts as soon as it pays, while the context is small', () => {
    const floor = { ...settings, automation: { ...settings.automation, floorTokens: 1e9 } };
    expect(autoCompactView(inspected('strata', 1), floor).schedule).toEqual({
      isNext: false,
      reason: 'Automatic compaction starts as soon as it saves more than it costs.',
    });
  });

  it('counts what a chosen model takes for writing', () => {
    const savedIf = (asksModel: boolean) => {
      const { schedule } = autoCompactView(inspected('strata', 90), { ...settings, asksModel });
      return Number(schedule?.reason.match(/what ([\d,]+) input tokens/)?.[1]?.replace(',', ''));
    };
    expect(savedIf(true)).toBeGreaterThan(0);
    expect(savedIf(true)).toBeLessThan(savedIf(false));
  });
});
