import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'vitest';
import { adapters } from '../../extension/sessions/adapters';
import { SessionCatalogue } from '../../extension/sessions/catalogue/catalogue';
import { OutlineCache } from '../../extension/sessions/catalogue/outline-cache';
import { openSession } from '../../extension/sessions/open';
import { SessionReader } from '../../extension/sessions/reader';
import { median, report } from './measure';

/** Measures the cost of listing and following sessions, compared with reading all of them. */

const many = 10_000;
const long = 100_000;
const short = long / 10;

const header = { type: 'session', version: 3, id: 's', timestamp: '2026-01-01T00:00:00Z', cwd: '/work' };

function entry(at: number): string {
  const role = at % 2 === 0 ? 'user' : 'assistant';
  const content = `Entry ${at} says something about module ${at}. `.repeat(10);
  const parentId = at === 0 ? null : `e${at - 1}`;
  return JSON.stringify({ type: 'message', id: `e${at}`, parentId, timestamp: '', message: { role, content } });
}

function session(entries: number): string {
  return `${[JSON.stringify(header), ...Array.from({ length: entries }, (_, at) => entry(at))].join('\n')}\n`;
}

function homeWithSessions(count: number): string {
  const home = mkdtempSync(join(tmpdir(), 'strata-bench-'));
  const text = session(20);
  for (let index = 0; index < count; index += 1) {
    const file = join(home, '.pi/agent/sessions', `--project-${index % 100}--`, `${index}.jsonl`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return home;
}

describe('a list of sessions', () => {
  it('costs little if it is known, and next to nothing for what did not change', async () => {
    const home = homeWithSessions(many);
    try {
      const catalogue = async (file: string) =>
        new SessionCatalogue({ home, variables: {} }, { adapters, cache: await OutlineCache.open(join(home, file)) });
      let attempt = 0;
      const first = await median(3, async () => {
        attempt += 1;
        await (await catalogue(`cache-${attempt}.jsonl`)).scan();
      });
      const baseline = { baseline: `all ${many} for the first time`, baselineMs: first, inputRatio: 1 };
      const newest = await median(5, async () => {
        attempt += 1;
        await (await catalogue(`cache-${attempt}.jsonl`)).scan(300);
      });
      report({ what: 'the newest 300', measured: 'for the first time', measuredMs: newest, ...baseline });
      const again = await median(5, async () => (await catalogue('cache-1.jsonl')).scan());
      report({ what: 'all of them again', measured: 'after a restart', measuredMs: again, ...baseline });
      const open = await catalogue('cache-1.jsonl');
      await open.scan();
      const changed = join(home, '.pi/agent/sessions/--project-7--/7.jsonl');
      const look = await median(20, async () => {
        attempt += 1;
        await appendFile(changed, `${entry(attempt)}\n`);
        await open.look([changed]);
      });
      report({ what: 'one of them grew', measured: 'a look at it', measuredMs: look, ...baseline });
    } finally {
      rmSync(home, { recursive: true });
    }
  });
});

describe('a session that grows', () => {
  it('costs for what is added, not for what is there', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'strata-bench-'));
    try {
      const [small, large] = [await costsOf(short, folder), await costsOf(long, folder)];
      report({
        what: 'opening a session',
        baseline: `${short} entries`,
        baselineMs: small.opening,
        measured: `${long} entries`,
        measuredMs: large.opening,
        inputRatio: long / short,
      });
      report({
        what: 'one more entry',
        baseline: `${short} entries`,
        baselineMs: small.oneMore,
        measured: `${long} entries`,
        measuredMs: large.oneMore,
        inputRatio: 1,
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

async function costsOf(entries: number, folder: string): Promise<{ opening: number; oneMore: number }> {
  const file = join(folder, `${entries}.jsonl`);
  writeFileSync(file, session(entries));
  const opening = await median(3, () => openSession(file));
  const outcome = await SessionReader.open(file);
  if (outcome.kind !== 'reading') throw new Error(String(outcome.message));
  let at = entries;
  const oneMore = await median(20, async () => {
    await appendFile(file, `${entry(at)}\n`);
    at += 1;
    await outcome.reader.session();
  });
  return { opening, oneMore };
}
