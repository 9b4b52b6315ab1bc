import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { localizable } from '../../extension/engine/wording/localizable-text';
import { gaugeInAgent, gaugeView } from '../../extension/host/view/gauge';
import { autoCompactView, noticeViews } from '../../extension/host/view/notices';
import { effectOf, reachesAgent } from '../../extension/inspection/effect';
import type { Inspection } from '../../extension/inspection/inspection';
import type { AgentId } from '../../extension/sessions/session';
import { inspectSample, prepareSample } from '../builders/inspection';
import { settings as usual } from '../builders/view-surroundings';

const settings = { ...usual, automation: { ...usual.automation, enabled: true } };

function source(agent: AgentId, isStrataInside = false) {
  return { session: { agent }, isStrataInside };
}

async function compacted(effect?: 'agent'): Promise<Inspection> {
  const { inspection } = await inspectSample();
  await inspection.apply(await prepareSample(inspection), effect);
  return inspection;
}

function noticesOf(inspection: Inspection): string[] {
  return noticeViews(inspection, settings)
    .filter(({ kind }) => kind === 'not-in-agent')
    .map(({ text }) => text);
}

describe('where compactions take effect', () => {
  it('a compaction takes effect if Strata makes the requests, is inside the agent, or writes a new session', () => {
    expect(effectOf(source('strata'))).toBe('next-request');
    expect(effectOf(source('pi', true))).toBe('next-compaction');
    expect(effectOf(source('cline', true))).toBe('next-request');
    expect(effectOf(source('copilot-cli', true))).toBe('when-asked');
    expect(effectOf(source('pi'))).toBe('new-session');
    expect(effectOf(source('cline'))).toBe('nowhere');
  });

  it('automatic compaction is possible only if it reaches the agent', async () => {
    expect((['next-request', 'next-compaction'] as const).every(reachesAgent)).toBe(true);
    expect((['when-asked', 'new-session', 'nowhere'] as const).some(reachesAgent)).toBe(false);
    const { inspection } = await inspectSample();
    expect(autoCompactView(inspection, settings)).toMatchObject({
      ...{ enabled: false, isPossible: false, startsAt: null },
      byAgent: { agentName: 'pi', tokens: expect.any(Number) },
    });
    inspection.isStrataInside = true;
    const inside = autoCompactView(inspection, settings);
    expect(inside).toMatchObject({ enabled: true, isPossible: true });
    expect(inside.byAgent).toMatchObject({ tokens: 183_616, source: 'its default' });
  });
});

describe('a conversation in a store', () => {
  it('is compacted automatically by its server, and says why it cannot be read', async () => {
    const { inspection } = await inspectSample();
    const store = { place: 'postgres://db/strata', tenant: 'acme', name: 'thread-7' };
    inspection.session = { ...inspection.session, agent: 'strata', store };
    expect(effectOf(inspection)).toBe('next-request');
    expect(autoCompactView(inspection, settings)).toMatchObject({
      ...{ enabled: false, isPossible: false, isElsewhere: true, startsAt: null },
    });
    expect(noticeViews(inspection, settings).map(({ kind }) => kind)).not.toContain('store-unreachable');
    inspection.unread = { reason: localizable('connection refused'), isForGood: false };
    expect(noticeViews(inspection, settings)[0]).toEqual({
      kind: 'store-unreachable',
      text: 'connection refused. This is what was read last. Strata tries again by itself.',
    });
    inspection.unread = {
      reason: localizable('The conversation thread-7 was deleted from its store.'),
      isForGood: true,
    };
    expect(noticeViews(inspection, settings)[0]?.text).toBe(
      'The conversation thread-7 was deleted from its store. This is what was read last.',
    );
  });
});

describe('the two contexts of a session', () => {
  it('are one and the same before anything is compacted, and after it is undone', async () => {
    const { inspection } = await inspectSample();
    expect(inspection.contextInAgent).toBe(inspection.context);
    await inspection.apply(await prepareSample(inspection));
    expect(inspection.contextInAgent).not.toBe(inspection.context);
    await inspection.undo();
    expect(inspection.contextInAgent).toBe(inspection.context);
    expect(noticesOf(inspection)).toEqual([]);
  });

  it('what the agent has stays as it was when a compaction has not reached it', async () => {
    const { inspection } = await inspectSample();
    const before = gaugeView(inspection, settings);
    await inspection.apply(await prepareSample(inspection));
    expect(gaugeInAgent(inspection, settings)).toEqual(before);
    expect(gaugeView(inspection, settings).total).toBeLessThan(before.total);
    expect(noticesOf(inspection)).toEqual([
      expect.stringMatching(/^pi still has 100\.1k tokens\. A fork of this session/),
    ]);
    inspection.isStrataInside = true;
    expect(noticesOf(inspection)).toEqual([
      expect.stringMatching(/After its next compaction \(\/compact\) it continues with [\d.]+k\.$/),
    ]);
  });

  it('a compaction that took effect in the agent is part of what the agent has', async () => {
    const inspection = await compacted('agent');
    expect(inspection.contextInAgent).toBe(inspection.context);
    expect(gaugeInAgent(inspection, settings)).toBeNull();
  });

  it('a pin that came after the compaction in the agent has not reached it', async () => {
    const inspection = await compacted('agent');
    const before = inspection.context.tokens.total;
    await inspection.coreEditor.pin('constraint', 'Never touch the lock file.', null);
    expect(inspection.contextInAgent.tokens.total).toBe(before);
    expect(inspection.context.tokens.total).toBeGreaterThan(before);
    expect(noticesOf(inspection)).toEqual(['Pins are not in the context of pi yet: a fork of this session has them.']);
  });

  it('survives reopening the session', async () => {
    const journals = await mkdtemp(join(tmpdir(), 'strata-'));
    const { inspection } = await inspectSample(journals);
    await inspection.apply(await prepareSample(inspection));
    const again = (await inspectSample(journals)).inspection;
    expect(again.contextInAgent.tokens.total).toBe(inspection.contextInAgent.tokens.total);
    expect(again.context.tokens.total).toBe(inspection.context.tokens.total);
  });
});
