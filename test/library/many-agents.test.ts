import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AgentContext, memoryShelf } from '../../extension/library';
import { conversationFolder } from '../../extension/library/node';
import type { ReceivedMessage } from '../../extension/middleware/recognition/received';
import { programWith, reply, textOfContext, user, wrongPins } from './many-agents';

const newFolder = () => mkdtemp(join(tmpdir(), 'strata-agents-'));
const folderShelf = (folder: string) =>
  conversationFolder({ folder, onWarning: (message) => expect.unreachable(message) });

describe('many agents at once', () => {
  it('have the pins that were made in their conversations by hand, 300 of 300, in memory', async () => {
    const program = await programWith();
    expect(await wrongPins(program, 300)).toBe(0);
    expect(program.notices).toEqual([]);
  });

  it('have the pins that were made in their conversations by hand, 300 of 300, without a key', async () => {
    const contexts: AgentContext[] = [];
    const program = await programWith({ onConversation: (context) => contexts.push(context) });
    const agents = Array.from({ length: 300 }, (_, agent) => agent);
    const first = (agent: number) => [user(`Work on part ${agent}.`)];
    await Promise.all(agents.map((agent) => program.send(first(agent), `Part ${agent} is read.`)));
    expect(contexts).toHaveLength(300);
    for (const context of contexts) await context.pin('constraint', `Keep ${context.entries.length > 0}.`);
    const sent = await Promise.all(
      agents.map((agent) => program.send([...first(agent), reply(`Part ${agent} is read.`), user('Go on.')], 'Done.')),
    );
    expect(sent.filter((context) => !textOfContext(context).includes('Keep true.'))).toHaveLength(0);
    expect(contexts).toHaveLength(300);
  });

  it('have their pins in a folder, where each scope has a folder of its own', async () => {
    const folder = await newFolder();
    const program = await programWith({ shelf: folderShelf(folder) });
    expect(await wrongPins(program, 30, (agent) => `tenant-${agent % 2}`)).toBe(0);
    const scopes = await readdir(join(folder, 'scopes'));
    expect(scopes).toHaveLength(2);
  });

  it('get an error with the name of a conversation that is no longer in memory', async () => {
    const evicted: string[] = [];
    const small = await programWith({ shelf: memoryShelf(2, ({ key = '' }) => evicted.push(key)) });
    for (const thread of ['a', 'b', 'c']) await small.send([user('Hi')], 'Hello.', { conversation: thread });
    expect(evicted).toEqual(['a']);
  });
});

describe('two conversations', () => {
  const shared = [user('Hello.'), reply('Hello, what is to be done?')];

  it('of the same beginning part for good when they differ, pins included', async () => {
    const { send, conversations } = await programWith();
    await send(shared.slice(0, 1), 'Hello, what is to be done?');
    const ofA = [...shared, user('Write the parser.')];
    await send(ofA, 'Written.');
    await conversations.newest?.pin('constraint', 'Never touch the lexer.');
    const ofB = [...shared, user('Order the flowers.')];
    const sentB = textOfContext(await send(ofB, 'Ordered.'));
    expect(sentB).not.toContain('lexer');
    expect(sentB).not.toContain('parser');
    const goesOnB = textOfContext(await send([...ofB, reply('Ordered.'), user('More.')], 'Sent.'));
    expect(goesOnB).not.toContain('lexer');
    expect(textOfContext(await send([...ofA, reply('Written.'), user('Test it.')], 'Tested.'))).toContain('lexer');
    expect(conversations.contexts).toHaveLength(2);
  });

  it('of one person are one that goes back, if the options say so', async () => {
    const { send, conversations } = await programWith({ goesBack: true });
    await send(shared.slice(0, 1), 'Hello, what is to be done?');
    await send([...shared, user('Write the parser.')], 'Written.');
    await conversations.newest?.pin('constraint', 'Never touch the lexer.');
    const sent = textOfContext(await send([...shared, user('Write the lexer tests.')], 'Written.'));
    expect(sent).toContain('Never touch the lexer.');
    expect(conversations.contexts).toHaveLength(1);
  });

  it('with a key go back, and are never confused with another one with the same messages', async () => {
    const { send, conversations } = await programWith();
    await send([...shared, user('Go.')], 'Gone.', { conversation: 'a' });
    await (await conversations.conversation({ conversation: 'a' })).pin('constraint', 'Only in A.');
    expect(textOfContext(await send([...shared, user('Go.')], 'Gone.', { conversation: 'b' }))).not.toContain(
      'Only in A.',
    );
    expect(textOfContext(await send([...shared, user('Go.')], 'Gone.'))).not.toContain('Only in A.');
    expect(textOfContext(await send([user('All new.')], 'Yes.', { conversation: 'a' }))).toContain('Only in A.');
  });

  it('are announced once each, however often they are opened', async () => {
    const announced: string[] = [];
    const program = await programWith({
      onConversation: ({ identity }) => announced.push(identity.conversation ?? ''),
    });
    for (const round of [1, 2]) {
      for (let agent = 0; agent < 600; agent += 1)
        await program.send([user(`Hi ${round}`)], 'Hello.', { conversation: `${agent}` });
    }
    expect(announced).toHaveLength(600);
  });
});

const message = fc.constantFrom('Hello.', 'Go on.', 'Stop.');
/** `own`: the answer that the tenant got before. */
const answers = fc.constantFrom('own', 'Done.');
const act = fc.record({
  tenant: fc.constantFrom('acme', 'globex'),
  conversation: fc.constantFrom(undefined, 'thread-1', 'acme', 'globex'),
  said: fc.array(fc.tuple(message, answers), { maxLength: 2 }),
  last: message,
  pins: fc.boolean(),
});

describe('tenants', () => {
  for (const where of ['memory', 'folder'] as const) {
    it(`never have anything of each other in requests, lists or searches, whatever they send: ${where}`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(act, { minLength: 2, maxLength: 8 }), async (acts) => {
          const folder = where === 'folder' ? await newFolder() : '';
          const { send, conversations } = await programWith(where === 'folder' ? { shelf: folderShelf(folder) } : {});
          const other = (tenant: string) => (tenant === 'acme' ? 'secret-of-globex' : 'secret-of-acme');
          for (const { tenant, conversation, said, last, pins } of acts) {
            const mark = `secret-of-${tenant}`;
            // Messages of both tenants are often equal, so that only the scope distinguishes them.
            const history: ReceivedMessage[] = said.flatMap(([text, answer]) => [
              user(text),
              reply(answer === 'own' ? `Yes. ${mark}` : answer),
            ]);
            const identity = { scope: tenant, conversation };
            const context = await send([...history, user(last)], `Yes. ${mark}`, identity);
            expect(textOfContext(context)).not.toContain(other(tenant));
            const newest = conversations.contextsIn(tenant).at(-1);
            if (pins && newest?.items.length === 0) await newest.pin('constraint', `Keep to ${mark}.`);
          }
          for (const tenant of ['acme', 'globex']) {
            const own = await conversations.list(tenant);
            expect(own.every(({ scope }) => scope === tenant)).toBe(true);
            const found = await conversations.search('secret', tenant);
            expect(JSON.stringify(found)).not.toContain(other(tenant));
            if (acts.some((one) => one.tenant === tenant))
              expect(JSON.stringify(found)).toContain(`secret-of-${tenant}`);
            expect(
              JSON.stringify(conversations.contextsIn(tenant).map(({ entries, items }) => [entries, items])),
            ).not.toContain(other(tenant));
          }
          expect(await conversations.list()).toEqual([]);
          expect(await conversations.search('secret')).toEqual([]);
          if (where === 'folder') await expectApart(folder);
        }),
        { numRuns: where === 'folder' ? 6 : 60 },
      );
    });
  }
});

/** Asserts that no file in the folder of one scope contains a secret of the other. */
async function expectApart(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((file) => file.isFile());
  for (const { parentPath, name } of files) {
    const text = await readFile(join(parentPath, name), 'utf8');
    expect(/secret-of-acme/.test(text) && /secret-of-globex/.test(text)).toBe(false);
  }
}
