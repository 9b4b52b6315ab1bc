import { describe, expect, it, vi } from 'vitest';
import { type StatusBarFacts, statusBarContent } from '../../extension/host/status-bar/status-bar-content';

vi.mock('vscode', () => ({
  l10n: { t: (message: string, ...values: unknown[]) => message.replace(/\{(\d)\}/g, (_, at) => String(values[at])) },
}));

const nothing = {
  earlier: 0,
  unexplained: 0,
  ...{ system: 0, core: 0, goal_batch: 0, summary: 0 },
  ...{ user: 0, assistant: 0, tool_call: 0, tool_result: 0 },
};

function facts(over: Partial<StatusBarFacts> = {}, gauge: Partial<StatusBarFacts['gauge']> = {}): StatusBarFacts {
  const byKind = { ...nothing, system: 14_100, assistant: 20_000, tool_call: 13_100, tool_result: 95_400 };
  return {
    gauge: {
      total: 142_600,
      source: 'reported',
      countedSince: 0,
      window: 200_000,
      windowAssumed: false,
      alarm: null,
      byKind,
      ...gauge,
    },
    autoCompact: { enabled: true, isPossible: true, startsAt: 160_000, orEarlier: false, schedule: null },
    inAgent: null,
    effect: 'new-session',
    ...{ isDueSoon: false, agentName: 'pi', title: 'fix the loader' },
    ...over,
  };
}

describe('the status bar', () => {
  it('shows the used share of the window', () => {
    const { text, label, level } = statusBarContent(facts());
    expect(text).toBe('$(layers) 142.6k · 71 %');
    expect(label).toBe('Context: 142.6k of 200k tokens, 71 %');
    expect(level).toBe('calm');
  });

  it('shows a spinner while tokens are counted', () => {
    const { text, details } = statusBarContent(facts({}, { source: 'counting' }));
    expect(text).toBe('$(loading~spin) 142.6k · 71 %');
    expect(details).toContain('still counting');
  });

  it('lists the non-empty parts, and whether tokens were reported or estimated', () => {
    const { details } = statusBarContent(facts());
    expect(details).toContain('**142.6k of 200k tokens** · 71 % · as the provider reported');
    expect(details.match(/^\| \w.*$/gm)).toEqual(['| System | 14.1k |', '| Assistant | 33.1k |', '| Tools | 95.4k |']);
    const estimated = statusBarContent(facts({}, { source: 'estimated', windowAssumed: true })).details;
    expect(estimated).toContain('estimated · window assumed');
    const windowShownBy = { source: 'window by its last compaction', reason: '' };
    expect(statusBarContent(facts({}, { windowShownBy })).details).toContain('· window by its last compaction');
  });

  const schedule = {
    reason: 'Automatic compaction waits: it would make the context hardly smaller.',
    isNext: false,
  };

  it.each([
    [
      { enabled: false, isPossible: true, startsAt: 160_000, orEarlier: false, schedule: null },
      'Automatic compaction is off.',
    ],
    [
      { enabled: true, isPossible: true, startsAt: 160_000, orEarlier: false, schedule: null },
      'Automatic compaction starts at 160k.',
    ],
    [
      { enabled: true, isPossible: true, startsAt: 160_000, orEarlier: true, schedule: null },
      'Automatic compaction starts at 160k or earlier.',
    ],
    [
      { enabled: true, isPossible: true, startsAt: null, orEarlier: true, schedule: null },
      'Automatic compaction depends on the age of messages.',
    ],
    [
      { ...{ enabled: true, isPossible: true, startsAt: null }, orEarlier: false, schedule },
      'Automatic compaction waits: it would make the context hardly smaller.',
    ],
  ])('says when an automatic compaction starts: %j', (autoCompact, line) => {
    expect(statusBarContent(facts({ autoCompact })).details).toContain(line);
  });

  it('warns by colour and text only if a compaction is due soon', () => {
    const { label, details, level } = statusBarContent(facts({ isDueSoon: true }));
    expect(level).toBe('warning');
    expect(label).toContain('An automatic compaction will start soon');
    expect(details).toContain('An automatic compaction will start soon');
  });

  it('shows what the agent has now, and then what it would have, while they differ', () => {
    const inAgent = { ...facts().gauge, total: 162_900 };
    const { text, label, details } = statusBarContent(facts({ inAgent }, { total: 69_000, source: 'estimated' }));
    expect(text).toBe('$(layers) 162.9k · 81 % → 69k');
    expect(label).toBe('pi now: 162.9k of 200k tokens, 81 %. After a fork: 69k of 200k tokens, 35 %');
    expect(details).toContain('pi now: **162.9k of 200k tokens** · 81 % · as the provider reported');
    expect(details).toContain('After a fork: **69k of 200k tokens** · 35 % · estimated');
    const inside = statusBarContent(facts({ inAgent, effect: 'next-compaction' })).details;
    expect(inside).toContain('After its next compaction: ');
  });

  it('says by colour, icon and words that the agent is past its limits, whatever a fork would have', () => {
    const alarm = { level: 'error', text: 'Over the window by 4k' } as const;
    const inAgent = { ...facts().gauge, total: 204_000, alarm };
    const { text, label, details, level } = statusBarContent(facts({ inAgent }, { total: 69_000 }));
    expect(level).toBe('error');
    expect(text).toBe('$(error) 204k · 102 % → 69k');
    expect([label, details].every((told) => told.includes('Over the window by 4k'))).toBe(true);
  });

  it('says why automatic compaction is off if it would not reach the agent', () => {
    const byAgent = {
      agentName: 'pi',
      tokens: 183_616,
      source: 'its default',
      reason: 'pi compacts by itself at 183.6k.',
    };
    const autoCompact = {
      enabled: false,
      isPossible: false,
      startsAt: null,
      orEarlier: false,
      schedule: null,
      byAgent,
    };
    expect(statusBarContent(facts({ autoCompact })).details).toContain(
      'Automatic compaction is off here: pi would continue with its own context. pi compacts by itself at 183.6k.',
    );
  });

  it('says who compacts a conversation that others serve', () => {
    const elsewhere = { enabled: false, isPossible: false, isElsewhere: true, startsAt: null } as const;
    expect(
      statusBarContent(facts({ autoCompact: { ...elsewhere, orEarlier: false, schedule: null } })).details,
    ).toContain('The server of this conversation compacts it, by its own settings.');
  });

  it('keeps the session’s title separate from markup', () => {
    const { heading, details, label, text } = statusBarContent(facts({ title: '[x](command:evil)' }));
    expect(heading).toBe('pi: [x](command:evil)');
    expect([details, label, text].join()).not.toContain('evil');
  });

  it('handles an empty context and one larger than its window', () => {
    expect(statusBarContent(facts({}, { total: 0, byKind: nothing })).text).toBe('$(layers) 0 · 0 %');
    expect(statusBarContent(facts({}, { total: 300_000 })).text).toBe('$(layers) 300k · 150 %');
    expect(statusBarContent(facts({}, { total: 30 })).text).toBe('$(layers) 30 · <1 %');
  });
});
