import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Part } from '../../../extension/engine/conversation/entry';
import {
  appendedHere,
  appendOrTakeBack,
  NotTakenBack,
  withLock,
} from '../../../extension/platform/files/locked-append';
import { SessionGone } from '../../../extension/sessions/session-gone';
import {
  ConversationFile,
  ConversationNotRead,
  ConversationNotWritten,
} from '../../../extension/sessions/strata/conversation-file';
import { LoopTurns } from '../../builders/loop-turns';
import { picture } from '../picture';
import { temporaryFolders } from '../temporary';
import { header, piece, replied, said } from './records';

const temporary = temporaryFolders();

async function started(path = join(temporary(), 'conversations', 'one.jsonl')): Promise<ConversationFile> {
  const { type: _type, version: _version, ...first } = header;
  return await ConversationFile.create(path, first);
}

async function seen(file: ConversationFile): Promise<string[]> {
  return picture((await file.session()).conversation.agentContext);
}

async function caught(work: Promise<unknown>): Promise<Error> {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Error)) throw new Error('It was expected to fail, and it did not');
  return error;
}

describe('the file of a conversation', () => {
  it('the file of a conversation is read on as it is written to, and read the same when it is opened again', async () => {
    const file = await started();
    expect(await seen(file)).toEqual([]);
    await file.append([said('q1', null, 'hi')]);
    expect(await seen(file)).toEqual(['user: hi']);
    await file.append([piece('a1', 'q1', 'hel')]);
    await file.append([replied('a1', 'q1', 'hello')]);
    expect(await seen(file)).toEqual(['user: hi', 'assistant: hello']);
    expect((await (await ConversationFile.open(file.path)).session()).conversation).toEqual(
      (await file.session()).conversation,
    );
    expect(readdirSync(join(file.path, '..'))).toEqual(['one.jsonl']);
  });

  it('the file of a conversation is known after a write without being read, and without what another process wrote meanwhile a second time', async () => {
    const file = await started();
    const appended = await file.append([said('q1', null, 'hi')]);
    expect(appended && picture(appended.conversation.agentContext)).toEqual(['user: hi']);
    const other = await ConversationFile.open(file.path);
    await other.append([replied('a1', 'q1', 'hello')]);
    const all = ['user: hi', 'assistant: hello', 'user: go on'];
    const both = await file.append([replied('a1', 'q1', 'hello'), said('q2', 'a1', 'go on')]);
    expect(both && [picture(both.conversation.agentContext), both.issues]).toEqual([all, []]);
    expect(await seen(file)).toEqual(all);
    const next = await file.append([replied('a2', 'q2', 'done')]);
    expect(next && picture(next.conversation.agentContext)).toEqual([...all, 'assistant: done']);
    expect((await (await ConversationFile.open(file.path)).session()).conversation).toEqual(next?.conversation);
  });

  it('keeps the order of appends, also of those that wait for another process', async () => {
    const file = await started();
    await file.append([said('q0', null, '0')]);
    const { promise: isFree, resolve: free } = Promise.withResolvers<void>();
    const locked = withLock(`${file.path}.lock`, () => isFree);
    const appends = [file.append([said('q1', 'q0', '1')])];
    await delay(20);
    appends.push(file.append([said('q2', 'q1', '2')]));
    free();
    await locked;
    appends.push(file.append([said('q3', 'q2', '3')]), file.append([said('q4', 'q3', '4')]));
    await Promise.all(appends);
    await file.append([said('q5', 'q4', '5')]);
    const written = (await file.session()).conversation.entries.map(({ id }) => id);
    expect(written).toEqual(['q0', 'q1', 'q2', 'q3', 'q4', 'q5']);
    expect(readdirSync(join(file.path, '..'))).toEqual(['one.jsonl']);
  });

  it('knows of each record that it wrote what a reader of the file knows, and does not change with the objects it was given', async () => {
    const texts = fc.string({ unit: 'binary', maxLength: 12 });
    const inputs = fc.oneof(fc.jsonValue(), fc.record({ at: fc.date(), gone: fc.constant(undefined), text: texts }));
    const parts = fc.oneof(
      texts.map((text): Part => ({ type: 'text', text })),
      fc.tuple(texts, inputs).map(([callId, input]): Part => ({ type: 'tool_call', callId, name: 'run', input })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(parts, { minLength: 1, maxLength: 3 }), { maxLength: 6 }), async (replies) => {
        const file = await started();
        const records = replies.map((all, at) => replied(`a${at}`, at === 0 ? null : `a${at - 1}`, ...all));
        await file.append([said('q', null, 'hi')]);
        const appended = (await file.append(records)) ?? (await file.session());
        for (const part of replies.flat()) if (part.type === 'tool_call') Object.assign(part.input ?? {}, { later: 1 });
        const read = await (await ConversationFile.open(file.path)).session();
        expect(appended.conversation).toEqual(read.conversation);
      }),
      { numRuns: 40 },
    );
  });

  it('yields to other work while much is written', async () => {
    const file = await started();
    const turns = new LoopTurns();
    const writtenIn = new Set<number>();
    const records = Array.from({ length: 50 }, (_, index) => {
      const record = said(`q${index}`, null, 'long '.repeat(10_000));
      const written = () => {
        writtenIn.add(turns.count);
        return { ...record };
      };
      return { ...record, toJSON: written };
    });
    await file.append(records);
    turns.stop();
    expect(writtenIn.size).toBeGreaterThan(5);
    expect(await seen(file)).toHaveLength(1);
    expect((await file.session()).conversation.entries).toHaveLength(50);
  });

  it.skipIf(process.platform === 'win32')('the file of a conversation is nobody else’s business', async () => {
    const file = await started();
    expect(statSync(file.path).mode & 0o777).toBe(0o600);
    expect(statSync(join(file.path, '..')).mode & 0o777).toBe(0o700);
  });

  it('continues after a line that a killed editor left half written', async () => {
    const file = await started();
    await file.append([said('q1', null, 'hi')]);
    appendFileSync(file.path, '{"type":"entry","parent":"q1","ent');
    expect(await seen(file)).toEqual(['user: hi']);
    await file.append([replied('a1', 'q1', 'hello')]);
    expect(await seen(file)).toEqual(['user: hi', 'assistant: hello']);
    expect((await file.session()).issues.map(({ line }) => line)).toEqual([3]);
  });

  it('continues after a whole record that lacks its line break', async () => {
    const file = await started();
    appendFileSync(file.path, JSON.stringify(said('q1', null, 'hi')));
    expect(await seen(file)).toEqual(['user: hi']);
    await file.append([replied('a1', 'q1', 'hello')]);
    expect(await seen(file)).toEqual(['user: hi', 'assistant: hello']);
    expect((await file.session()).issues).toEqual([]);
  });

  it('takes what two windows write at once, every record whole', async () => {
    const one = await started();
    const other = await ConversationFile.open(one.path);
    const turns = Array.from({ length: 20 }, (_, turn) => turn);
    await Promise.all(
      turns.flatMap((turn) => [
        one.append([said(`one-${turn}`, null, 'x'.repeat(3000)), replied(`one-a${turn}`, `one-${turn}`, 'ok')]),
        other.append([said(`other-${turn}`, null, 'y'.repeat(3000))]),
      ]),
    );
    const sessions = [await one.session(), await other.session()];
    expect(sessions.map(({ issues }) => issues)).toEqual([[], []]);
    expect(sessions.map(({ conversation }) => conversation.entries.length)).toEqual([60, 60]);
    const ids = sessions[0]?.conversation.entries.map(({ id }) => id) ?? [];
    for (const turn of turns) expect(ids.indexOf(`one-a${turn}`)).toBe(ids.indexOf(`one-${turn}`) + 1);
  }, 20_000);

  it('the file of a conversation is read once, however many ask for it at the same time', async () => {
    const file = await started();
    for (let turn = 0; turn < 5; turn += 1) {
      await file.append([said(`q${turn}`, null, 'x'.repeat(200_000))]);
      const sessions = await Promise.all(Array.from({ length: 4 }, () => file.session()));
      expect(sessions.map(({ issues, conversation }) => [issues, conversation.entries.length])).toEqual(
        Array.from({ length: 4 }, () => [[], turn + 1]),
      );
    }
  });
});

describe('a conversation that cannot be kept', () => {
  it('a conversation that cannot be kept is not begun over another one', async () => {
    const file = await started();
    await file.append([said('q1', null, 'hi')]);
    const before = readFileSync(file.path, 'utf8');
    const error = await caught(started(file.path));
    expect(error).toBeInstanceOf(ConversationNotWritten);
    expect(error.message).toContain(file.path);
    expect(readFileSync(file.path, 'utf8')).toBe(before);
  });

  it('a conversation that cannot be kept says so if its file was deleted, and leaves no file without a beginning', async () => {
    const file = await started();
    rmSync(file.path);
    const written = await caught(file.append([said('q1', null, 'hi')]));
    expect(written).toBeInstanceOf(ConversationNotWritten);
    expect(written.message).toMatch(/one\.jsonl could not be written: ENOENT/);
    expect(readdirSync(join(file.path, '..'))).toEqual([]);
    expect(await caught(file.session())).toBeInstanceOf(SessionGone);
  });

  it('reports if its file was deleted while a write waited, and writes into the file that replaced it', async () => {
    const file = await started();
    const { promise: isDeleted, resolve: deleted } = Promise.withResolvers<void>();
    const locked = withLock(`${file.path}.lock`, () => isDeleted);
    const writing = caught(file.append([said('q1', null, 'hi')]));
    await delay(50);
    rmSync(file.path);
    deleted();
    await locked;
    expect((await writing).message).toMatch(/one\.jsonl could not be written: ENOENT/);
    const { promise: isReplaced, resolve: replaced } = Promise.withResolvers<void>();
    const other = await started(file.path);
    const lockedAgain = withLock(`${file.path}.lock`, () => isReplaced);
    const again = other.append([said('q2', null, 'again')]);
    await delay(50);
    const text = readFileSync(file.path);
    rmSync(file.path);
    writeFileSync(file.path, text);
    replaced();
    await lockedAgain;
    await again;
    expect(await seen(await ConversationFile.open(file.path))).toEqual(['user: again']);
  });

  it('a conversation that cannot be kept says so if its folder cannot be created', async () => {
    const blocker = join(temporary(), 'file');
    writeFileSync(blocker, '');
    const error = await caught(started(join(blocker, 'conversations', 'one.jsonl')));
    expect(error).toBeInstanceOf(ConversationNotWritten);
    expect(error.message).toContain(blocker);
  });

  it('a conversation that cannot be kept says so if its file is not one of Strata’s', async () => {
    const path = join(temporary(), 'one.jsonl');
    expect((await caught(ConversationFile.open(path))).message).toBe(`There is no file ${path}`);
    writeFileSync(path, '');
    expect(await caught(ConversationFile.open(path))).toBeInstanceOf(ConversationNotRead);
  });

  it.skipIf(process.platform !== 'linux')(
    'a conversation that cannot be kept says so if the disk is full',
    async () => {
      const file = await started();
      rmSync(file.path);
      symlinkSync('/dev/full', file.path);
      const error = await caught(file.append([said('q1', null, 'hi')]));
      expect(error).toBeInstanceOf(ConversationNotWritten);
      expect(error.message).toMatch(/ENOSPC/);
    },
  );

  it('a conversation that cannot be kept has nothing of what was written of the records when the disk was full', async () => {
    const path = join(temporary(), 'one.jsonl');
    writeFileSync(path, 'before\n');
    const handle = await open(path, 'a+');
    const writeHalf = async (bytes: Buffer): Promise<never> => {
      await handle.write(bytes.subarray(0, 4));
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    };
    const full = new Proxy(handle, {
      get: (target, key) => {
        if (key === 'writeFile') return writeHalf;
        const value: unknown = Reflect.get(target, key);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    expect((await caught(appendOrTakeBack(full, 7, Buffer.from('the rest\n')))).message).toMatch(/^ENOSPC/);
    expect(readFileSync(path, 'utf8')).toBe('before\n');
    await handle.close();
    const closed = await caught(appendOrTakeBack(handle, 7, Buffer.from('the rest\n')));
    expect(closed).toBeInstanceOf(NotTakenBack);
    expect(closed.message).toMatch(/what was written could not be removed/);
  });
});

describe('an append on this thread', () => {
  const half = (file: number, bytes: Buffer) => writeSync(file, bytes, 0, 4);
  const failing = (file: number, bytes: Buffer): number => {
    half(file, bytes);
    throw new Error('ENOSPC');
  };

  it.each([
    ['ends early', half, 'before\n', false],
    ['fails', failing, 'before\n', false],
    ['does not fail', writeSync, 'before\nthe rest\n', true],
  ] as const)('is whole or not in the file if the write %s', (_what, write, content, isWhole) => {
    const path = join(temporary(), 'one.jsonl');
    writeFileSync(path, 'before\n');
    const file = openSync(path, 'a+');
    expect(appendedHere(file, 7, Buffer.from('the rest\n'), write)).toBe(isWhole);
    closeSync(file);
    expect(readFileSync(path, 'utf8')).toBe(content);
  });
});

describe('a reader of a session', () => {
  it('reads a file again that was replaced or truncated', async () => {
    const file = await started();
    await file.append([said('q1', null, 'one'), said('q2', 'q1', 'two')]);
    expect(await seen(file)).toEqual(['user: one', 'user: two']);
    const lines = readFileSync(file.path, 'utf8').split('\n');
    truncateSync(file.path, Buffer.byteLength(`${lines[0]}\n${lines[1]}\n`));
    expect(await seen(file)).toEqual(['user: one']);
    writeFileSync(`${file.path}.new`, `${lines[0]}\n${JSON.stringify(said('q9', null, 'other'))}\n`);
    renameSync(`${file.path}.new`, file.path);
    expect(await seen(file)).toEqual(['user: other']);
  });

  it('says that the session is gone, and finds it again when it comes back', async () => {
    const file = await started();
    await file.append([said('q1', null, 'one')]);
    const content = readFileSync(file.path, 'utf8');
    rmSync(file.path);
    expect((await caught(file.session())).message).toBe(`There is no file ${file.path}`);
    mkdirSync(file.path);
    expect((await caught(file.session())).message).toMatch(/is a folder/);
    rmSync(file.path, { recursive: true });
    writeFileSync(file.path, '');
    expect((await caught(file.session())).message).toMatch(/is empty/);
    writeFileSync(file.path, content);
    expect(await seen(file)).toEqual(['user: one']);
  });
});
