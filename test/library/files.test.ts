import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Inspection } from '../../extension/inspection/inspection';
import { openJournal } from '../../extension/inspection/journal-store';
import { type AgentContext, createContext, type Message, OperationRefused } from '../../extension/library';
import { ConversationNotRead, fileJournal, fileStores } from '../../extension/library/node';
import { openSession } from '../../extension/sessions/open';
import { toolsWithoutModel } from '../../extension/summarizers/without-model';
import { long } from '../builders/conversation';

const countTokens = (text: string) => Math.ceil(text.length / 4);

function newFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'strata-library-'));
}

async function openIn(folder: string, id = 'release notes'): Promise<AgentContext> {
  return await createContext({ window: 16_000, countTokens, ...(await fileStores({ folder, id })) });
}

function turn(at: number): Message[] {
  return [
    { role: 'user', content: `Please look at part ${at}.` },
    {
      role: 'assistant',
      content: [{ type: 'tool_call', callId: `c${at}`, name: 'read', input: { path: `src/part-${at}.ts` } }],
    },
    {
      role: 'tool',
      content: [{ type: 'tool_result', callId: `c${at}`, name: 'read', text: long(`Part ${at}.`, 16), isError: false }],
    },
    { role: 'assistant', content: `Part ${at} is fine.` },
  ];
}

const turns = Array.from({ length: 20 }, (_, at) => turn(at)).flat();

/** Opens the conversation as the panel and the command line do. */
async function inspected(folder: string): Promise<Inspection> {
  const [name = ''] = await readdir(join(folder, 'conversations'));
  const outcome = await openSession(join(folder, 'conversations', name));
  if (outcome.kind !== 'opened') throw new Error(String(outcome.message));
  const { agent, id, file } = outcome.session;
  return Inspection.of(outcome.session, await openJournal(join(folder, 'journals'), { agent, id, file }));
}

describe('a conversation in files', () => {
  it('continues from the disk, with its compactions', async () => {
    const folder = await newFolder();
    const before = await openIn(folder);
    await before.append({ role: 'system', content: 'Be brief.' }, ...turns);
    await before.compact();
    const after = await openIn(folder);
    expect(after.messages()).toEqual(before.messages());
    await after.undo();
    expect(after.messages().length).toBe(turns.length + 1);
  });

  it('shows in one context what another one pinned, undid and said, after refresh', async () => {
    const folder = await newFolder();
    const one = await openIn(folder);
    await one.append(...turns);
    const two = await openIn(folder);
    await one.compact();
    expect(await two.refresh()).toBe(true);
    expect(two.messages()).toEqual(one.messages());
    await two.pin('constraint', 'Never delete files.');
    await two.undo();
    await two.append({ role: 'user', content: 'Go on.' });
    expect(await one.refresh()).toBe(true);
    expect(await one.refresh()).toBe(false);
    expect(one.messages()).toEqual(two.messages());
    expect(one.core?.hard_constraints).toEqual(['Never delete files.']);
  });

  it('refuses a run that another process has overtaken, and both continue with the same journal', async () => {
    const folder = await newFolder();
    const one = await openIn(folder);
    await one.append(...turns);
    const two = await openIn(folder);
    const prepared = await two.preview();
    await one.compact();
    await expect(two.apply(prepared)).rejects.toThrow(OperationRefused);
    await two.refresh();
    expect(two.messages()).toEqual(one.messages());
  });

  it('a conversation in files is a session for the inspector, which works on the same journal', async () => {
    const folder = await newFolder();
    const context = await openIn(folder);
    await context.append({ role: 'system', content: 'Be brief.' }, ...turns);
    await context.compact();
    const inspection = await inspected(folder);
    expect(inspection.issues).toEqual([]);
    expect(inspection.context.messages.map(({ key, parts }) => [key, parts])).toEqual(
      context.current.messages.map(({ key, parts }) => [key, parts]),
    );
    await inspection.coreEditor.pin('decision', 'Parts stay apart.', null);
    await inspection.undo();
    await inspection.exclude(context.entries[1]?.id ?? '', toolsWithoutModel);
    await context.refresh();
    expect(context.core?.key_decisions.map(({ decision }) => decision)).toEqual(['Parts stay apart.']);
    expect(context.messages().map(({ id }) => id)).toEqual(inspection.context.messages.map(({ key }) => key));
  });

  it('refuses a file that holds the conversation of another id', async () => {
    const folder = await newFolder();
    await fileStores({ folder, id: 'a/b' });
    await expect(fileStores({ folder, id: 'a.b' })).rejects.toThrow(ConversationNotRead);
  });

  it('stores only the journal for an agent that stores its messages itself', async () => {
    const folder = await newFolder();
    const session = { agent: 'mine', id: 'one', file: join(folder, 'mine.db') };
    const named = turns.map((message, at) => ({ ...message, id: `m${at}`, timestamp: '2026-01-01T00:00:00.000Z' }));
    const open = async () => {
      const journal = await fileJournal(folder, session);
      const context = await createContext({ window: 16_000, countTokens, journal });
      await context.append(...named);
      return context;
    };
    const first = await open();
    await first.compact();
    expect((await open()).messages()).toEqual(first.messages());
  });
});
