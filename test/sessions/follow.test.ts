import { spawn } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { followSession } from '../../extension/sessions/follow';
import { openSession } from '../../extension/sessions/open';
import type { Session } from '../../extension/sessions/session';
import { chained, replied, said, text } from '../agents/pi/records';
import { picture } from './picture';
import { fixtures } from './samples';
import { nowhere, temporaryFolders } from './temporary';

const temporary = temporaryFolders();
const timing = { settle: 5, poll: 40, rest: 150 };

/** Follows a file. `reports` has what was reported, newest last. */
class Following {
  readonly reports: Session[] = [];
  readonly #ending = new AbortController();

  async begin(file: string): Promise<string> {
    const outcome = await followSession(file, (session) => this.reports.push(session), {
      signal: this.#ending.signal,
      onFailure: (error) => {
        throw error;
      },
      environment: nowhere,
      timing,
    });
    if (outcome.kind === 'opened') this.reports.push(outcome.session);
    return outcome.kind;
  }

  get newest(): Session | undefined {
    return this.reports.at(-1);
  }

  get spoken(): string[] {
    return picture(this.newest?.conversation.entries ?? []);
  }

  get issues(): string[] {
    return (this.newest?.issues ?? []).map((issue) => String(issue.message));
  }

  end(): void {
    this.#ending.abort();
  }
}

let following = new Following();
afterEach(() => following.end());

async function follow(content: string): Promise<string> {
  following = new Following();
  const file = join(temporary(), 'session.jsonl');
  writeFileSync(file, content);
  expect(await following.begin(file)).toBe('opened');
  return file;
}

async function eventually(check: () => void): Promise<void> {
  await vi.waitFor(check, { timeout: 5000, interval: 10 });
}

const lines = chained(said('q1', 'one'), replied('a1', [text('two')]), said('q2', 'three')).map(
  (record) => `${JSON.stringify(record)}\n`,
);
const [head = '', first = '', second = '', third = ''] = lines;

describe('following a session', () => {
  it('reports what is appended, and shares what was there before', async () => {
    const file = await follow(head + first);
    appendFileSync(file, second);
    await eventually(() => expect(following.spoken).toEqual(['user: one', 'assistant: two']));
    expect(following.newest?.conversation.entries[0]).toBe(following.reports[0]?.conversation.entries[0]);
    expect(following.issues).toEqual([]);
  });

  it('reports nothing while nothing changes, and nothing after its end', async () => {
    const file = await follow(head + first);
    await new Promise((resolve) => setTimeout(resolve, 4 * timing.poll));
    expect(following.reports).toHaveLength(1);
    following.end();
    appendFileSync(file, second);
    await new Promise((resolve) => setTimeout(resolve, 4 * timing.poll));
    expect(following.reports).toHaveLength(1);
  });

  it('waits for a line that is being written', async () => {
    const file = await follow(head + first);
    appendFileSync(file, second.slice(0, 30));
    await new Promise((resolve) => setTimeout(resolve, timing.rest / 2));
    expect(following.spoken).toEqual(['user: one']);
    expect(following.issues).toEqual([]);
    appendFileSync(file, second.slice(30));
    await eventually(() => expect(following.spoken).toEqual(['user: one', 'assistant: two']));
    expect(following.issues).toEqual([]);
  });

  it('a followed session says so when a line stays torn, until it is completed', async () => {
    const file = await follow(head + first);
    appendFileSync(file, second.slice(0, 30));
    await eventually(() =>
      expect(following.issues).toEqual(['The file ends in the middle of this line; it was left out']),
    );
    expect(following.newest?.issues[0]?.line).toBe(3);
    appendFileSync(file, second.slice(30) + third);
    await eventually(() => expect(following.spoken).toHaveLength(3));
    expect(following.issues).toEqual([]);
  });

  it('takes a last line that lacks its newline, and what comes after it', async () => {
    const file = await follow(head + first.trimEnd());
    expect(following.spoken).toEqual(['user: one']);
    appendFileSync(file, `\n${second}`);
    await eventually(() => expect(following.spoken).toEqual(['user: one', 'assistant: two']));
    expect(following.issues).toEqual([]);
  });

  it('takes back a last line without newline when it turns out to continue', async () => {
    const file = await follow(head + first.trimEnd());
    appendFileSync(file, ` and more\n${second}`);
    await eventually(() => expect(following.spoken).toEqual(['assistant: two']));
    expect(following.issues.some((issue) => issue.includes('not valid JSON'))).toBe(true);
  });
});

describe('a file that is no longer what it was', () => {
  it('a changed file is read again when it became shorter', async () => {
    const file = await follow(head + first + second);
    truncateSync(file, head.length + first.length);
    await eventually(() => expect(following.spoken).toEqual(['user: one']));
    expect(following.issues).toEqual([`${file} became shorter; it was read again`]);
    appendFileSync(file, second + third);
    await eventually(() => expect(following.spoken).toHaveLength(3));
    expect(following.issues).toEqual([`${file} became shorter; it was read again`]);
  });

  it('a changed file is read again if another file replaced it', async () => {
    const file = await follow(head + first);
    const other = join(dirname(file), 'other');
    writeFileSync(other, head + third + second);
    renameSync(other, file);
    await eventually(() => expect(following.spoken).toEqual(['user: three', 'assistant: two']));
    expect(following.issues[0]).toBe(`${file} was replaced; it was read again`);
  });

  it('a changed file is read again when it was overwritten', async () => {
    const file = await follow(head + first);
    writeFileSync(file, `${head.replace('/work', '/other')}${third}${second}`);
    await eventually(() => expect(following.spoken).toEqual(['user: three', 'assistant: two']));
    expect(following.issues[0]).toBe(`${file} was replaced; it was read again`);
  });

  it('a changed file is read again when only its middle differs, at the same size', async () => {
    const long = [said('q1', 'long '.repeat(200)), said('q2', 'before'), said('q3', 'long '.repeat(200))];
    const content =
      head +
      chained(...long)
        .map((record) => `${JSON.stringify(record)}\n`)
        .slice(1)
        .join('');
    const file = await follow(content);
    writeFileSync(file, content.replace('before', 'behind'));
    await eventually(() => expect(following.spoken).toContain('user: behind'));
    expect(following.issues).toContain(`${file} was replaced; it was read again`);
  });

  it('a file that is no longer what it was stays visible when it was deleted, and is read again when it is back', async () => {
    const file = await follow(head + first);
    rmSync(file);
    await eventually(() => expect(following.issues).toEqual([`${file} was deleted; this is what was read before`]));
    expect(following.spoken).toEqual(['user: one']);
    writeFileSync(file, head + second);
    await eventually(() => expect(following.spoken).toEqual(['assistant: two']));
    expect(following.issues[0]).toBe(`${file} was replaced; it was read again`);
  });

  it('a file that is no longer what it was stays on screen if a folder or a file that is not a session replaced it', async () => {
    const file = await follow(head + first);
    rmSync(file);
    mkdirSync(file);
    await eventually(() =>
      expect(following.issues).toEqual([`${file} is a folder, not a session file; this is what was read before`]),
    );
    rmSync(file, { recursive: true });
    writeFileSync(file, 'something else');
    await eventually(() =>
      expect(following.issues[0]).toMatch(/is not a session of .*; this is what was read before$/),
    );
    expect(following.spoken).toEqual(['user: one']);
  });
});

describe('what cannot be followed', () => {
  it('the outcome says what cannot be followed', async () => {
    following = new Following();
    expect(await following.begin(join(temporary(), 'gone.jsonl'))).toBe('missing');
  });
});

describe('a writer of its own', () => {
  /** Writes a file in pieces of different size with short pauses, as a streaming agent does. */
  const writer = `
    const { appendFileSync, readFileSync } = require('node:fs');
    const [source, target, from] = process.argv.slice(1);
    const bytes = readFileSync(source).subarray(Number(from));
    let at = 0;
    const step = () => {
      const size = 1 + ((at * 7919) % 20011);
      appendFileSync(target, bytes.subarray(at, at + size));
      at += size;
      if (at < bytes.length) setTimeout(step, 2);
    };
    step();`;

  it('a writer of its own is followed to the session that is in the file at the end', async () => {
    const source = join(fixtures, 'claude-code-2.1.14', 'auto-compaction.jsonl');
    const bytes = readFileSync(source);
    const begun = bytes.indexOf('\n', 2000) + 1;
    const file = await follow(bytes.subarray(0, begun).toString());
    const child = spawn(process.execPath, ['-e', writer, source, file, String(begun)], { stdio: 'ignore' });
    await new Promise((resolve) => child.on('exit', resolve));
    const whole = await openSession(file, { environment: nowhere });
    if (whole.kind !== 'opened') throw new Error(String(whole.message));
    await eventually(() => expect(following.newest?.conversation).toEqual(whole.session.conversation));
    expect(following.newest?.issues).toEqual(whole.session.issues);
    expect(following.reports.length).toBeGreaterThan(2);
  });
});
