import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { Views } from '../../extension/host/panel/views';
import type { ViewSettings } from '../../extension/host/view/notices';
import { ShownSession } from '../../extension/host/view/session-change';
import { Inspection } from '../../extension/inspection/inspection';
import { openJournal } from '../../extension/inspection/journal-store';
import { followSession } from '../../extension/sessions/follow';
import { SessionReader } from '../../extension/sessions/reader';
import type { Session } from '../../extension/sessions/session';
import { median, report } from './measure';
import { largeSessions, renamed } from './opening/large-sessions';
import { sessionOf } from './pi-session';

/** Measures the cost of one more entry in the host, from the session that was read to the message for the panel. */

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

/** The same session several times, each one entry longer than the one before. */
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

/** Milliseconds from one more line of the file to the message for the panel. The same lines are used each time. */
async function oneMoreLine(file: string): Promise<number> {
  const outcome = await SessionReader.open(file);
  if (outcome.kind !== 'reading') throw new Error(String(outcome.message));
  const { reader } = outcome;
  const session = await reader.session();
  const journal = await openJournal(folder, { agent: session.agent, id: session.id, file });
  const inspection = Inspection.estimated(session, journal, 200_000, () => new Promise(() => undefined));
  const views = new Views({ isFork: () => false } as never, () => settings);
  const shown = new ShownSession();
  shown.show(views.viewOf(inspection, null));
  const lines = readFileSync(file, 'utf8').split('\n').slice(-13, -1);
  let at = 0;
  return await median(lines.length * 3, async () => {
    appendFileSync(file, `${renamed(lines[at % lines.length] ?? '', `more-${at}`)}\n`);
    at += 1;
    inspection.session = await reader.session();
    shown.change(views.viewOf(inspection, null));
  });
}

const [short, long] = [4_400_000, 44_000_000];
const compacted = largeSessions.filter(({ name, grows }) => grows && name.endsWith('compacted'));

describe('following a session', () => {
  it.each(compacted)('of $name costs what was added', async ({ name, write }) => {
    const baselineMs = await oneMoreLine(await write(folder, short));
    report({
      what: `${name}: one more line after 44 MB against one after 4.4 MB, in all`,
      baseline: '4.4 MB',
      baselineMs,
      measured: '44 MB',
      measuredMs: await oneMoreLine(await write(folder, long)),
      inputRatio: 1,
    });
  });

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
