import { describe, expect, it } from 'vitest';
import { tokenKinds } from '../../../extension/engine/conversation/context';
import type { AutoCompactView, GaugeView } from '../../../extension/protocol/view';
import {
  gaugeScale,
  gaugeSummary,
  groupNote,
  roomText,
  sourceNote,
  spokenGauge,
} from '../../../webview/state/header/gauge';

const gauge: GaugeView = {
  total: 142_600,
  source: 'reported',
  countedSince: 0,
  calibration: 1,
  window: 200_000,
  windowAssumed: false,
  reserve: 16_384,
  byKind: {
    system: 12_100,
    earlier: 1_500,
    core: 400,
    goal_batch: 12_000,
    summary: 18_200,
    user: 9_800,
    assistant: 30_000,
    tool_call: 3_100,
    tool_result: 55_000,
    unexplained: 500,
  },
  derivedSystem: 9_000,
  alarm: null,
};

const reason = 'Automatic compaction waits: it would make the context hardly smaller.';
const off: AutoCompactView = { enabled: false, isPossible: true, startsAt: 180_000, orEarlier: false, schedule: null };

const byAgent = (tokens: number | null) => ({
  ...{ agentName: 'pi', tokens, source: 'as last time' },
  reason: 'pi last compacted by itself at 160k.',
});

describe('the gauge', () => {
  it('has a segment for every kind, as wide as its share of the window', () => {
    const segments = gaugeScale(gauge, off).groups.flatMap((group) => group.segments);

    expect(segments.map(({ kind }) => kind)).toEqual([...tokenKinds]);
    expect(segments.reduce((sum, { width }) => sum + width, 0)).toBeCloseTo(142_600 / 200_000);
  });

  it('counts replies that call tools with the assistant', () => {
    const assistant = gaugeScale(gauge, off).groups.find(({ label }) => label === 'assistant');

    expect(assistant?.tokens).toBe(33_100);
  });

  it('knows what is free, and where the reserve begins', () => {
    const { free, reserveAt, reserveWidth } = gaugeScale(gauge, off);

    expect(free).toBe(57_400);
    expect(reserveAt + reserveWidth).toBeCloseTo(1);
  });

  it('shows all of a context that is larger than its window', () => {
    const { free, groups, reserveAt } = gaugeScale({ ...gauge, window: 100_000 }, off);
    const width = groups.flatMap((group) => group.segments).reduce((sum, segment) => sum + segment.width, 0);

    expect(free).toBe(0);
    expect(width).toBeCloseTo(1);
    expect(reserveAt).toBeCloseTo((100_000 - 16_384) / 142_600);
  });

  it('says by how much the context is larger than its window', () => {
    const over = { ...gauge, window: 100_000 };

    expect(roomText(over, gaugeScale(over, off))).toBe('42.6k over the window');
    expect(roomText(gauge, gaugeScale(gauge, off))).toBe('free 57.4k, of which 16.4k reserve');
  });

  it('reads in words', () => {
    expect(gaugeSummary(gauge)).toBe('142.6k of 200k · 71 %');
    expect(spokenGauge({ ...gauge, windowAssumed: true }, gaugeScale(gauge, { ...off, enabled: true }))).toBe(
      '142.6k of 200k · 71 %, reported, window assumed: system 12.1k, earlier messages, not in this file 1.5k, core 400, goal batches 12k, summaries 18.2k, ' +
        'user 9.8k, assistant 33.1k, tools 55k, growth that no record explains 500, free 57.4k, of which 16.4k reserve, Auto-compact at 180k',
    );
  });

  it('says what shows the window if it is not that of the model', () => {
    const reason = 'Claude Code compacted by itself at 167.4k here, so a window of 200k is assumed.';
    const shown = { ...gauge, windowShownBy: { source: 'window by its last compaction', reason } };
    expect(spokenGauge(shown, gaugeScale(shown, off))).toContain('reported, window by its last compaction: system');
    expect(sourceNote(shown)).toContain(reason);
  });

  it('says which part of the system prompt is derived, and what the assistant is made of', () => {
    const notes = gaugeScale(gauge, off).groups.map((group) => groupNote(gauge, group));

    expect(notes[0]).toContain('9k of it are not in the session file');
    expect(notes[6]).toContain('replies that call tools: 3.1k');
  });

  it.each([
    ['is off', { enabled: false, isPossible: true, startsAt: 180_000, orEarlier: false, schedule: null }, null],
    [
      'is off, and the agent compacts by itself',
      {
        ...{ enabled: false, isPossible: false, startsAt: null, orEarlier: false, schedule: null },
        byAgent: byAgent(160_000),
      },
      { at: 0.8, text: 'pi compacts at 160k, as last time', reason: byAgent(160_000).reason },
    ],
    [
      'is off, and the agent does not compact either',
      {
        ...{ enabled: false, isPossible: false, startsAt: null, orEarlier: false, schedule: null },
        byAgent: byAgent(null),
      },
      { at: null, text: 'pi does not compact by itself', reason: byAgent(null).reason },
    ],
    [
      'starts at a size that the agent does not reach',
      {
        ...{ enabled: true, isPossible: true, startsAt: 180_000, orEarlier: false, schedule: null },
        byAgent: byAgent(160_000),
      },
      { at: 0.8, text: 'pi compacts at 160k, as last time', reason: byAgent(160_000).reason },
    ],
    [
      'starts before the agent compacts',
      {
        ...{ enabled: true, isPossible: true, startsAt: 150_000, orEarlier: false, schedule: null },
        byAgent: byAgent(160_000),
      },
      { at: 0.75, text: 'Auto-compact at 150k', reason: null },
    ],
    [
      'goes by counts and ages',
      { enabled: true, isPossible: true, startsAt: null, orEarlier: false, schedule: null },
      null,
    ],
    [
      'starts at a size',
      { enabled: true, isPossible: true, startsAt: 180_000, orEarlier: false, schedule: null },
      { at: 0.9, text: 'Auto-compact at 180k', reason: null },
    ],
    [
      'may start before a size',
      { enabled: true, isPossible: true, startsAt: 180_000, orEarlier: true, schedule: null },
      { at: 0.9, text: 'Auto-compact at 180k or earlier', reason: null },
    ],
    [
      'starts at a size beyond the window',
      { enabled: true, isPossible: true, startsAt: 300_000, orEarlier: false, schedule: null },
      { at: 1, text: 'Auto-compact at 300k', reason: null },
    ],
    [
      'waits until it pays',
      { enabled: true, isPossible: true, startsAt: null, orEarlier: false, schedule: { reason, isNext: false } },
      { at: null, text: 'Auto-compact when it pays', reason },
    ],
    [
      'pays',
      { enabled: true, isPossible: true, startsAt: null, orEarlier: false, schedule: { reason, isNext: true } },
      { at: null, text: 'Auto-compact before the next message', reason },
    ],
  ])('knows when automatic compaction starts if it %s', (_, autoCompact, line) => {
    expect(gaugeScale(gauge, autoCompact).autoCompact).toEqual(line);
  });

  it('reads out why automatic compaction by cost waits', () => {
    const byCost = { ...off, enabled: true, startsAt: null, schedule: { reason, isNext: false } };
    expect(spokenGauge(gauge, gaugeScale(gauge, byCost))).toMatch(new RegExp(`${reason}$`));
  });

  it('says that it is still counting, and by what reports scale the figures', () => {
    const counting: GaugeView = { ...gauge, source: 'counting', calibration: 1.0789 };

    expect(spokenGauge(counting, gaugeScale(counting, off))).toContain(
      ', counting…, scaled × 1.08 as the provider counts: ',
    );
    expect(sourceNote(counting)).toMatch(/still working.*\n.*scaled × 1\.08 as the provider counts/s);
  });

  it('says how much the provider reported, and how much was counted since', () => {
    expect(sourceNote(gauge)).toBe('The provider reported 142,600 tokens with the newest reply.');
    expect(sourceNote({ ...gauge, countedSince: 2600 })).toBe(
      'The provider reported 140,000 tokens with the newest reply; 2,600 were counted in what came since.',
    );
  });
});
