import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { ShownSession } from '../../extension/host/panel/shown-session';
import { Views } from '../../extension/host/panel/views';
import type { ViewSettings } from '../../extension/host/view/notices';
import { Inspection } from '../../extension/inspection/inspection';
import { openJournal } from '../../extension/inspection/journal-store';
import { followSession } from '../../extension/sessions/follow';
import type { Session } from '../../extension/sessions/session';
import { median, report } from './measure';
import { sessionOf } from './pi-session';

/** What one more entry costs the host, from the session as it was read to the message for the panel. */

const settings = {
  strategy: 'pipeline',
  parameters: {},
  reserveTokens: 16_384,
  automation: { enabled: true, floorTokens: 0, pauseTokens: 0 },
} as unknown as ViewSettings;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'strata-bench-'));
});

afterAll(() => rmSync(folder, { recursive: true }));

const more = JSON.stringify({
  type: 'message',
  timestamp: '2026-01-01T00:00:00.000Z',
  message: { role: 'user', content: [{ type: 'text', text: 'one more' }] },
});

/** The same session again and again, one entry longer each time. */
async function growingSessions(file: string, count: number): Promise<Session[]> {
  const controller = new AbortController();
  const sessions: Session[] = [];
  let arrived: (() => void) | null = null;
  const onChange = (session: Session) => {
    sessions.push(session);
    arrived?.();
  };
  const onFailure = (error: unknown) => {
    throw error;
  };
  const outcome = await followSession(file, onChange, { signal: controller.signal, onFailure });
  if (outcome.kind !== 'opened') throw new Error(String(outcome.message));
  sessions.push(outcome.session);
  while (sessions.length < count) {
    const next = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    appendFileSync(file, `${more}\n`);
    await next;
  }
  controller.abort();
  return sessions;
}

async function oneMoreEntry(entries: number): Promise<number> {
  const runs = 9;
  const file = join(folder, `${entries}.jsonl`);
  writeFileSync(file, sessionOf(entries, `${entries}`));
  const [first, ...later] = await growingSessions(file, runs + 2);
  if (!first) throw new Error('The session was not opened.');
  const journal = await openJournal(folder, { agent: first.agent, id: first.id, file });
  const inspection = Inspection.estimated(first, journal, 200_000, () => new Promise(() => undefined));
  const views = new Views({ isFork: () => false } as never, () => settings);
  const shown = new ShownSession();
  shown.show(views.viewOf(inspection, null));
  return median(runs, () => {
    inspection.session = later.shift() ?? first;
    shown.change(views.viewOf(inspection, null));
  });
}

describe('following a session', () => {
  it('costs what was added, and a look at what was there', async () => {
    const baselineMs = await oneMoreEntry(1_000);
    report({
      what: 'one more entry after 50,000 against one after 1,000, in all',
      baseline: '1,000',
      baselineMs,
      measured: '50,000',
      measuredMs: await oneMoreEntry(50_000),
      inputRatio: 1,
    });
  });
});
