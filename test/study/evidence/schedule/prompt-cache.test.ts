import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { branchOf } from '../../../../extension/engine/conversation/branch';
import { openSession } from '../../../../extension/sessions/open';
import { fixtures } from '../../../sessions/samples';
import { cachePrediction } from './prompt-cache';
import { type PromptRequest, promptRequestsOf } from './prompt-requests';
import { scheduleReport } from './schedule-report';
import type { SessionCosts } from './session-costs';

const prices = { read: 0.1, write: 1.25 };
const minutes = 60_000;

function request(tokens: number, read: number, idle = 0, isAnew = false): PromptRequest {
  return { tokens, read, written: tokens - read, model: 'claude-opus-4-6', idle, isAnew, opensTurn: false };
}

describe('the model of the prompt cache', () => {
  it('is exact for a session that grows at its end', () => {
    const requests = [request(20_000, 15_000), request(22_000, 20_000), request(30_000, 22_000)];
    const { actual, ifKept } = cachePrediction(requests, 5, prices);
    expect(ifKept).toBeCloseTo(actual);
  });

  it('finds only what sessions share after a compaction, and after a pause longer than the lifetime', () => {
    const anew = [request(90_000, 15_000), request(30_000, 15_000, 0, true)];
    expect(cachePrediction(anew, 5, prices).ifKept).toBeCloseTo(15_000 * 0.1 + 15_000 * 1.25);
    const paused = [request(90_000, 15_000), request(91_000, 90_000, 20 * minutes)];
    expect(cachePrediction(paused, 5, prices).ifKept).toBeCloseTo(15_000 * 0.1 + 76_000 * 1.25);
    expect(cachePrediction(paused, 60, prices).ifKept).toBeCloseTo(90_000 * 0.1 + 1_000 * 1.25);
  });

  it('costs more if the cache lost the prompt within its lifetime', () => {
    const requests = [request(50_000, 15_000), request(51_000, 15_000), request(52_000, 51_000)];
    const { actual, ifKept, ifLost } = cachePrediction(requests, 5, prices);
    expect(actual).toBeGreaterThan(ifKept);
    expect(actual).toBeLessThan(ifLost);
  });

  it('reads the counters of a real session', async () => {
    const opened = await openSession(join(fixtures, 'claude-code-2.1.330', 'after-compaction.jsonl'));
    if (opened.kind !== 'opened') throw new Error(String(opened.message));
    const requests = promptRequestsOf(branchOf(opened.session.conversation));
    expect(requests.length).toBeGreaterThan(0);
    expect(requests.every(({ tokens, read }) => tokens > 0 && read <= tokens)).toBe(true);
  });
});

describe('the check of the model', () => {
  const session = (project: string): SessionCosts => ({
    project,
    agent: 'Claude Code',
    requests: 20,
    cache: [5, 60].map((lifetime) => ({ lifetime, actual: 110, ifKept: 100, ifLost: 200 })),
    schedules: [],
  });

  it('predicts each project from the others', () => {
    const report = scheduleReport([session('one'), session('two'), session('three')]);
    expect(report?.cache).toMatchObject([
      { sessions: 3, projects: 3, lost: 0.1, medianError: expect.closeTo(10 / 110) },
    ]);
    expect(report?.cache[0]?.error).toBeCloseTo(0);
  });

  it('gives no error for a single project, whose losses are not predicted', () => {
    expect(scheduleReport([session('one')])?.cache[0]).toMatchObject({ error: null, medianError: null });
    expect(scheduleReport([])).toBeNull();
  });
});
