import { createHash } from 'node:crypto';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { WritingTools } from '../../../extension/engine/block/strategy';
import { findStrategy } from '../../../extension/engine/run/prepare/registry';
import type { ReplayReport } from '../../../extension/evaluation/measure/replay';
import { searchLimits } from '../../../extension/evaluation/sessions/find-sessions';
import { measureSessions } from '../../../extension/evaluation/sessions/measure-sessions';
import type { Measured, ReplayOwner } from '../../../extension/evaluation/sessions/replay-owner';
import { type ReplayOptions, replaySessions } from '../../../extension/evaluation/sessions/replay-sessions';
import { transparentSummarizer } from '../../../extension/summarizers/transparent/transparent';
import { fixtures } from '../../sessions/samples';
import { temporaryFolders } from '../../sessions/temporary';

const strategies = ['checkpoint', 'sliding-window'].flatMap((name) => findStrategy(name) ?? []);

const tools: WritingTools = {
  summarizer: transparentSummarizer,
  model: null,
  embedder: { name: 'none', embed: async (texts) => texts.map(() => [1]) },
};

const recordFolders = temporaryFolders();

async function replayed(
  places: string | readonly string[],
  options: Partial<ReplayOptions> = {},
  chosen = strategies,
): Promise<ReplayReport> {
  const signal = options.signal ?? new AbortController().signal;
  return await replaySessions(places, {
    records: join(recordFolders(), 'replay.jsonl'),
    strategies: chosen.map(({ name }) => name),
    measure: (owner) => measureSessions(owner, { tools, strategies: chosen, signal }),
    signal,
    now: () => '2026-01-01T00:00:00.000Z',
    madeWith: { strata: '1.0.0', node: '24.0.0' },
    ...options,
  });
}

const piSession = join(fixtures, 'pi-0.87', 'after-compaction.jsonl');
const claudeSession = join(fixtures, 'claude-code-2.1.330', 'after-compaction.jsonl');

describe('replay of sessions from real agents', () => {
  let report: ReplayReport;
  const before = printOf(fixtures);

  beforeAll(async () => {
    report = await replayed(fixtures);
  }, 60_000);

  it('finds boundaries of every agent that writes readable summaries', () => {
    const agents = new Set(
      report.boundaries.filter(({ kind }) => kind === 'agent').map(({ session }) => session.agent),
    );
    const readable = ['Claude Code', 'Cline', 'Codex', 'Copilot CLI', 'Gemini CLI', 'OpenCode', 'Qwen Code', 'pi'];
    expect([...agents].sort()).toEqual(readable);
  });

  it('finds simulated boundaries in long sessions', () => {
    expect(report.boundaries.some(({ kind }) => kind === 'simulated')).toBe(true);
  });

  it('scores `everything` as full and discarding strategies as zero', () => {
    for (const { ways, names, messages } of report.boundaries) {
      const everything = ways.find(({ way }) => way === 'everything');
      expect(everything).toMatchObject({ namesHeld: names, messagesHeld: messages });
      // The notes with the time that Copilot sends before each prompt are short enough to stay in the window.
      const window = ways.find(({ way }) => way === 'sliding-window');
      expect(window?.namesHeld.filter((name) => name !== 'current_datetime')).toEqual([]);
    }
  });

  it('gives a reason for each compaction that cannot be measured', () => {
    const reasons = report.skipped.map(({ reason }) => reason);
    expect(reasons).toEqual(
      expect.arrayContaining([expect.stringMatching(/^Line \d+: The summary of this compaction is encrypted$/)]),
    );
    expect(reasons).toContain('This is a subagent session: an agent led it, not a person');
  });

  it('changes no session file and leaves no file beside them', () => {
    expect(printOf(fixtures)).toEqual(before);
  });

  it('gives every boundary a unique id', () => {
    const ids = report.boundaries.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

/** Hashes of all files in a folder. */
function printOf(folder: string): string[] {
  const files = globSync(join(folder, '**')).filter((path) => statSync(path).isFile());
  return files.sort().map((file) => `${file} ${createHash('sha256').update(readFileSync(file)).digest('hex')}`);
}

describe('a folder of sessions', () => {
  const folder = temporaryFolders();

  it('gives the same report for the same folder', async () => {
    expect(await replayed(join(fixtures, 'pi-0.87'))).toEqual(await replayed(join(fixtures, 'pi-0.87')));
  });

  it('counts copies of a session once, also shortened or renamed ones', async () => {
    const place = folder();
    mkdirSync(join(place, 'deep', 'er'), { recursive: true });
    copyFileSync(piSession, join(place, 'deep', 'er', 'one.jsonl'));
    const alone = await replayed(place);
    copyFileSync(piSession, join(place, 'two.jsonl'));
    copyFileSync(join(fixtures, 'pi-0.87', 'before-compaction.jsonl'), join(place, 'before.jsonl'));
    const copied = await replayed(place);
    expect([copied.sessions, copied.boundaries.length]).toEqual([1, alone.boundaries.length]);
    expect(copied.cells).toEqual(alone.cells);
  });

  it('skips torn, hostile, foreign and empty files and names them', async () => {
    const place = folder();
    copyFileSync(piSession, join(place, 'whole.jsonl'));
    copyFileSync(claudeSession, join(place, 'torn.jsonl'));
    truncateSync(join(place, 'torn.jsonl'), statSync(claudeSession).size - 40);
    copyFileSync(claudeSession, join(place, 'hostile.jsonl'));
    appendFileSync(
      join(place, 'hostile.jsonl'),
      `{"type": "user", "message": [[[\n${'['.repeat(50_000)}\n{"type":null}\n`,
    );
    writeFileSync(join(place, 'foreign.jsonl'), '{"level":"info"}\n'.repeat(3));
    writeFileSync(join(place, 'empty.jsonl'), '');
    writeFileSync(join(place, 'opencode.db'), `SQLite format 3\0${'x'.repeat(5000)}`);
    const { skipped, boundaries } = await replayed(place);
    const reasonsOf = (name: string) =>
      skipped.filter(({ file }) => file === join(place, name)).map(({ reason }) => reason);
    expect(reasonsOf('torn.jsonl')[0]).toMatch(/^Line \d+: The file ends in the middle of this line/);
    expect(reasonsOf('hostile.jsonl').filter((reason) => /^Line \d+: /.test(reason)).length).toBeGreaterThan(0);
    expect(reasonsOf('foreign.jsonl')[0]).toContain('is not a session of');
    expect(reasonsOf('empty.jsonl')[0]).toContain('is empty');
    expect(reasonsOf('opencode.db')[0]).toContain('opencode.db');
    expect(boundaries.map(({ session }) => session.agent).sort()).toEqual(
      expect.arrayContaining(['Claude Code', 'pi']),
    );
  });

  it('skips files over the size limit, circular links and sessions over the maximum', async () => {
    const place = folder();
    copyFileSync(piSession, join(place, 'a.jsonl'));
    copyFileSync(claudeSession, join(place, 'b.jsonl'));
    writeFileSync(join(place, 'huge.jsonl'), '');
    truncateSync(join(place, 'huge.jsonl'), 200 * 1024 * 1024);
    const { skipped, boundaries } = await replayed(place, { limits: { ...searchLimits, maxSessions: 1 } });
    expect(skipped.map(({ file }) => file)).toEqual([join(place, 'huge.jsonl'), join(place, 'b.jsonl')]);
    expect(skipped[0]?.reason).toMatch(/^It has 209715200 bytes; the limit is \d+$/);
    expect(new Set(boundaries.map(({ session }) => session.agent))).toEqual(new Set(['pi']));
  });

  it('reports a missing folder and gives an empty report', async () => {
    const report = await replayed(join(folder(), 'nowhere'));
    expect(report).toMatchObject({ sessions: 0, boundaries: [], cells: [], differences: [] });
    expect(report.skipped[0]?.reason).toBe('It cannot be read (ENOENT)');
  });
});

describe('a replay', () => {
  const folder = temporaryFolders();

  it('takes given files whatever their names', async () => {
    const file = join(folder(), 'notes.txt');
    cpSync(piSession, file);
    expect((await replayed([file])).boundaries.length).toBeGreaterThan(0);
  });

  it('reports its progress', async () => {
    const told: string[] = [];
    await replayed([piSession, claudeSession], {
      onProgress: ({ done, of, file }) => told.push(`${done} of ${of} ${file}`),
    });
    expect(told[0]).toBe(`0 of 2 ${claudeSession}`);
    expect(told).toContain(`1 of 2 ${piSession}`);
    expect(told.at(-1)).toBe(`2 of 2 ${piSession}`);
  });

  it('a killed replay continues, and gives the same report as one that was not killed', async () => {
    const place = join(recordFolders(), 'replay.jsonl');
    const whole = await replayed(fixtures, { records: place });
    const lines = readFileSync(place, 'utf8').split('\n');
    const half = Math.floor(lines.length / 2);
    writeFileSync(place, `${lines.slice(0, half).join('\n')}\n${lines[half]?.slice(0, 30)}`);
    const measured: Measured[] = [];
    const watched = (owner: ReplayOwner): ReplayOwner => ({
      next: () => owner.next(),
      read: (session) => owner.read(session),
      measured: async (result) => {
        measured.push(result);
        await owner.measured(result);
      },
    });
    const signal = new AbortController().signal;
    const again = await replayed(fixtures, {
      records: place,
      measure: (owner) => measureSessions(watched(owner), { tools, strategies, signal }),
    });
    expect(again).toEqual(whole);
    const before = lines.slice(0, half).filter((line) => line.startsWith('{"kind":"measured"')).length;
    expect(before).toBeGreaterThan(0);
    expect(measured.length).toBe(whole.measured.agent + whole.measured.simulated - before);
  }, 60_000);

  it('gives the same report however many measure its sessions', async () => {
    const signal = new AbortController().signal;
    const one = (owner: ReplayOwner) => measureSessions(owner, { tools, strategies, signal });
    const several = await replayed(fixtures, {
      measure: async (owner) => void (await Promise.all([1, 2, 3].map(() => one(owner)))),
    });
    expect(several).toEqual(await replayed(fixtures));
  }, 60_000);

  it('begins again for other strategies', async () => {
    const records = join(recordFolders(), 'replay.jsonl');
    await replayed([piSession], { records });
    const { cells } = await replayed([piSession], { records }, strategies.slice(0, 1));
    expect(cells.some(({ way }) => way === 'sliding-window')).toBe(false);
  });

  it('refuses a damaged file of results and names the line', async () => {
    const records = join(recordFolders(), 'replay.jsonl');
    await replayed([piSession], { records });
    const [header, session, ...rest] = readFileSync(records, 'utf8').split('\n');
    writeFileSync(records, [header, session?.replace('"at":0', '"at":-1'), ...rest].join('\n'));
    await expect(replayed([piSession], { records })).rejects.toThrow(
      /replay\.jsonl:2: this line is not a valid result: at/,
    );
  });

  it('stops in the middle of a session when it is cancelled', async () => {
    const controller = new AbortController();
    const replay = replayed([piSession], {
      signal: controller.signal,
      onProgress: () => setImmediate(() => controller.abort(new Error('Enough.'))),
    });
    await expect(replay).rejects.toThrow('Enough.');
  });

  it('continues with other boundaries when a strategy throws at one', async () => {
    const breaks = {
      ...strategies[0],
      name: 'breaks',
      steps: [
        {
          ...strategies[0]?.steps[0],
          plan: () => {
            throw new TypeError('No plan.');
          },
        },
      ],
    } as unknown as (typeof strategies)[number];
    const { boundaries, skipped } = await replayed([piSession], {}, [breaks]);
    expect(boundaries).toEqual([]);
    expect(skipped[0]?.reason).toMatch(/^Line \d+: compaction failed here \(TypeError: No plan\.\)$/);
  });
});
