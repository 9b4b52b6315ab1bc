import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { codex } from '../../../extension/agents/codex/format/adapter';
import { pi } from '../../../extension/agents/pi/format/adapter';
import { Workplace } from '../../../extension/models/command/workplace';
import type { LineFormat } from '../../../extension/sessions/adapter';
import { type CatalogueOptions, SessionCatalogue } from '../../../extension/sessions/catalogue/catalogue';
import { OutlineCache } from '../../../extension/sessions/catalogue/outline-cache';
import { chained, said } from '../../agents/pi/records';
import { inEnglish } from '../../builders/in-english';
import { fixtures } from '../samples';
import { temporaryFolders } from '../temporary';

const temporary = temporaryFolders();
let home = '';
let opened: string[] = [];
beforeEach(() => {
  home = temporary();
  opened = [];
});

/** pi's format, with a list of all sessions that were opened to make an outline. */
const watchedPi: LineFormat = {
  ...pi,
  summarise(ends) {
    const outline = pi.summarise(ends);
    opened.push(outline.title ?? '');
    return outline;
  },
};

function put(name: string, words: string, age = 3600): string {
  const file = join(home, '.pi/agent/sessions', name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    chained(said('q1', words))
      .map((record) => `${JSON.stringify(record)}\n`)
      .join(''),
  );
  const time = Date.now() / 1000 - age;
  utimesSync(file, time, time);
  return file;
}

function catalogue(options: Partial<CatalogueOptions> = {}): SessionCatalogue {
  return new SessionCatalogue({ home, variables: {} }, { adapters: [watchedPi], ...options });
}

const cacheFile = (): string => join(home, 'cache', 'sessions.jsonl');

describe('a catalogue of sessions', () => {
  it('opens no file that it has read before and that is unchanged', async () => {
    put('a.jsonl', 'one');
    const changed = put('b.jsonl', 'two');
    const first = await catalogue({ cache: await OutlineCache.open(cacheFile()) }).scan();
    expect(opened.sort()).toEqual(['one', 'two']);
    opened = [];
    expect(await catalogue({ cache: await OutlineCache.open(cacheFile()) }).scan()).toEqual(first);
    expect(opened).toEqual([]);
    put('b.jsonl', 'two, but other', 1800);
    const { sessions } = await catalogue({ cache: await OutlineCache.open(cacheFile()) }).scan();
    expect(sessions.map(({ title }) => title)).toEqual(['two, but other', 'one']);
    expect(opened).toEqual(['two, but other']);
    expect(sessions[0]?.file).toBe(changed);
  });

  it('works without its cache, whatever is in its place', async () => {
    put('a.jsonl', 'one');
    mkdirSync(dirname(cacheFile()), { recursive: true });
    const lies = { version: 1, file: join(home, 'x'), stamp: 's', agent: 'nobody', sessions: [] };
    writeFileSync(
      cacheFile(),
      `{"torn\n[]\n${JSON.stringify(lies)}\n${JSON.stringify({ ...lies, agent: 'pi', sessions: [1] })}\n`,
    );
    const { sessions, issues } = await catalogue({ cache: await OutlineCache.open(cacheFile()) }).scan();
    expect(sessions.map(({ title }) => title)).toEqual(['one']);
    expect(issues).toEqual([]);
  });

  it('a catalogue of sessions says so when the cache cannot be written', async () => {
    put('a.jsonl', 'one');
    writeFileSync(join(home, 'cache'), 'a file where the folder should be');
    const { sessions, issues } = await catalogue({ cache: await OutlineCache.open(cacheFile()) }).scan();
    expect(sessions).toHaveLength(1);
    expect(issues.map(inEnglish)).toMatchObject([{ file: cacheFile(), message: expect.stringContaining('EEXIST') }]);
  });

  it('appends what is new to its cache, and rewrites it when most of it is stale', async () => {
    put('a.jsonl', 'one');
    for (let round = 0; round < 110; round += 1) {
      put('a.jsonl', `round ${round}`, 3600 - round);
      await catalogue({ cache: await OutlineCache.open(cacheFile()) }).scan();
    }
    const lines = readFileSync(cacheFile(), 'utf8').trim().split('\n');
    expect(lines.length).toBeLessThan(100);
    expect(lines.at(-1)).toContain('round 109');
  });

  it('looks only at what changed: a file that grew, one that is new, one that is gone, a folder', async () => {
    const grows = put('a.jsonl', 'one');
    const goes = put('b.jsonl', 'two', 7200);
    const it = catalogue();
    await it.scan();
    opened = [];
    appendFileSync(grows, `${JSON.stringify({ type: 'session_info', id: 'n', parentId: 'q1', name: 'renamed' })}\n`);
    const made = put('--work--/c.jsonl', 'three', 10);
    rmSync(goes);
    const { sessions } = await it.look([grows, made, goes, join(home, 'elsewhere.jsonl')]);
    expect(sessions.map(({ title }) => title)).toEqual(['renamed', 'three']);
    expect(opened.sort()).toEqual(['renamed', 'three']);
    put('--work--/d.jsonl', 'four', 5);
    expect((await it.look([dirname(made)])).sessions.map(({ title }) => title)).toEqual(['renamed', 'four', 'three']);
    rmSync(dirname(made), { recursive: true });
    expect((await it.look([dirname(made)])).sessions.map(({ title }) => title)).toEqual(['renamed']);
  });

  it('opens about as many files as it is asked for', async () => {
    for (let index = 0; index < 60; index += 1) put(`${index}.jsonl`, `number ${index}`, 100 + index);
    const { sessions, files } = await catalogue().scan(10);
    expect(sessions.map(({ title }) => title)).toEqual(Array.from({ length: 10 }, (_, index) => `number ${index}`));
    expect(files).toBe(60);
    expect(opened.length).toBeLessThanOrEqual(20);
  });

  it('fills up with older sessions when the newest are gone', async () => {
    const files = Array.from({ length: 40 }, (_, index) => put(`${index}.jsonl`, `number ${index}`, 100 + index));
    const it = catalogue();
    await it.scan(10);
    for (const file of files.slice(0, 8)) rmSync(file);
    expect((await it.look(files.slice(0, 8), 10)).sessions.map(({ title }) => title)).toEqual(
      Array.from({ length: 10 }, (_, index) => `number ${index + 8}`),
    );
  });

  it('forgets in its cache what is gone', async () => {
    for (let index = 0; index < 300; index += 1) put(`${index}.jsonl`, `number ${index}`);
    await catalogue({ cache: await OutlineCache.open(cacheFile()) }).scan();
    rmSync(join(home, '.pi/agent/sessions'), { recursive: true });
    put('last.jsonl', 'the last');
    await catalogue({ cache: await OutlineCache.open(cacheFile()) }).scan();
    expect(readFileSync(cacheFile(), 'utf8').trim().split('\n')).toHaveLength(1);
  });

  it('lists the others if one file cannot be read', async () => {
    put('a.jsonl', 'fine');
    const bad = put('b.jsonl', 'bad');
    const failing: LineFormat = {
      ...pi,
      summarise(ends) {
        const outline = pi.summarise(ends);
        if (outline.title === 'bad') throw new RangeError('Maximum call stack size exceeded');
        return outline;
      },
    };
    const { sessions, issues } = await catalogue({ adapters: [failing] }).scan();
    expect(sessions.map(({ title }) => title)).toEqual(['fine']);
    expect(issues.map(inEnglish)).toMatchObject([
      { file: bad, message: expect.stringContaining('Maximum call stack') },
    ]);
  });

  it('does not count a session with a wrong clock as live', async () => {
    put('a.jsonl', 'from the future', -1_000_000);
    expect((await catalogue().scan()).sessions[0]?.live).toBe(false);
  });

  it('leaves out what a command of Strata’s own kept of a question to a model', async () => {
    put('a.jsonl', 'work of the person');
    const folder = await Workplace.during(async (place) => place.folder);
    const kept = put('b.jsonl', 'summarize this');
    writeFileSync(kept, readFileSync(kept, 'utf8').replace('"/work"', JSON.stringify(folder)));
    const { sessions } = await catalogue().scan();
    expect(sessions.map(({ title }) => title)).toEqual(['work of the person']);
  });

  it('reports a session that has waited too long for an answer', async () => {
    const file = put('a.jsonl', 'one', 0);
    let now = statSync(file).mtimeMs + 1000;
    const it = catalogue({ now: () => now });
    expect((await it.scan()).sessions[0]?.live).toBe(true);
    now += 3_600_000;
    expect((await it.look([])).sessions[0]?.live).toBe(false);
  });
});

describe('a thread of Codex in which a person reverted something', () => {
  it('a thread of Codex in which a person reverted something is listed once, by its newest file', async () => {
    const { sessions, files } = await new SessionCatalogue(
      { home, variables: {} },
      { adapters: [codex], folders: [join(fixtures, 'codex-0.169/reverted/sessions')] },
    ).scan();
    expect(files).toBeGreaterThan(1);
    expect(sessions).toHaveLength(1);
    const newest = readdirSync(join(fixtures, 'codex-0.169/reverted'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.jsonl'))
      .sort((one, other) => (one.split('_')[1] ?? '').localeCompare(other.split('_')[1] ?? ''))
      .at(-1);
    expect(sessions[0]?.file.endsWith(newest ?? '?')).toBe(true);
  });
});
