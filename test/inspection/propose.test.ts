import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { core } from '../../extension/cli/core';
import { type LanguageModel, ModelFailed } from '../../extension/engine/block/language-model';
import { textOf } from '../../extension/engine/conversation/entry';
import { Inspection } from '../../extension/inspection/inspection';
import { openJournal } from '../../extension/inspection/journal-store';
import { createContext, createConversations } from '../../extension/library';
import { conversationFolder } from '../../extension/library/node';
import type { ReceivedMessage } from '../../extension/middleware/recognition/received';
import { receivedConversation } from '../../extension/middleware/recognition/received-entries';
import { openSession } from '../../extension/sessions/open';
import { printedBy } from '../builders/printed';

const fixtures = resolve(import.meta.dirname, '../fixtures');

const rule = 'Run the whole test suite before you commit anything.';

/** A real session of pi, to which a rule that the person states twice and a goal set by a command were added. */
async function inspect(): Promise<Inspection> {
  const path = join(await mkdtemp(join(tmpdir(), 'strata-')), 'session.jsonl');
  const told = [rule, `${rule}\nThen go on.`, '/goal Ship the new session picker'].map((text, at) =>
    JSON.stringify({
      type: 'message',
      timestamp: `2025-12-09T12:0${at}:00.000Z`,
      message: { role: 'user', content: [{ type: 'text', text }], timestamp: 1765281600000 + at },
    }),
  );
  const session = await readFile(join(fixtures, 'pi-v1/until-after-first-compaction.jsonl'), 'utf8');
  await writeFile(path, `${session}${told.join('\n')}\n`);
  const outcome = await openSession(path);
  if (outcome.kind !== 'opened') throw new Error(String(outcome.message));
  const { agent, id, file } = outcome.session;
  return await Inspection.of(
    outcome.session,
    await openJournal(await mkdtemp(join(tmpdir(), 'strata-')), { agent, id, file }),
  );
}

function answering(text: string): LanguageModel {
  return {
    name: 'scripted',
    model: 'scripted-1',
    concurrency: 1,
    complete: async () => ({ text, tokens: { input: 1, output: 1 }, isCut: false }),
  };
}

const { signal } = new AbortController();

describe('proposals for the core of a real session', () => {
  it('proposals for the core of a real session are verbatim in the entry they name, and not in the context before a person confirms them', async () => {
    const inspection = await inspect();
    const before = JSON.stringify(inspection.context);
    expect(await inspection.coreEditor.propose()).toBeGreaterThan(0);
    const { items } = inspection.journal.state;
    for (const { text, entryId, status, proposedBy } of items) {
      expect({ status, proposedBy }).toEqual({ status: 'proposed', proposedBy: 'structure' });
      const entry = inspection.session.conversation.entries.find(({ id }) => id === entryId);
      expect(textOf(entry?.parts ?? []).replace(/\s+/g, ' ')).toContain(text.replace(/\s+/g, ' '));
    }
    expect(JSON.stringify(inspection.context)).toBe(before);
    await inspection.coreEditor.change(items[0]?.id ?? '', 'active');
    expect(textOf(inspection.context.messages.find(({ kind }) => kind === 'core')?.parts ?? [])).toContain(
      items[0]?.text,
    );
  });

  it('proposals for the core of a real session are not made again, whether they were confirmed or refused', async () => {
    const inspection = await inspect();
    let rounds = 0;
    while ((await inspection.coreEditor.propose()) > 0) rounds += 1;
    expect(rounds).toBeGreaterThan(0);
    for (const { id } of inspection.journal.state.items) await inspection.coreEditor.change(id, 'refused');
    expect(await inspection.coreEditor.propose()).toBe(0);
  });

  it('proposals for the core of a real session become pinned when a person pins the same words', async () => {
    const inspection = await inspect();
    await inspection.coreEditor.propose();
    const [proposal] = inspection.journal.state.items;
    if (!proposal) throw new Error('nothing was proposed');
    await inspection.coreEditor.pin(proposal.kind, proposal.text, null);
    const same = inspection.journal.state.items.filter(({ text }) => text === proposal.text);
    expect(same.map(({ status }) => status)).toEqual(['active']);
  });

  it('proposals for the core are the same in the editor, on the command line, in the library and in a gateway’s conversation', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'strata-'));
    const settings = { window: 16_000, countTokens: (text: string) => text.length };
    const said: ReceivedMessage[] = [
      { role: 'user', parts: [{ type: 'text', text: `/goal Write the importer for the old shop.` }] },
      { role: 'assistant', parts: [{ type: 'text', text: 'Kept the parser, since two clients still call it.' }] },
      { role: 'user', parts: [{ type: 'text', text: `/remember ${rule}` }] },
    ];
    const context = await createContext(settings);
    await context.append(...said.map(({ role, parts }) => ({ role, content: parts })));
    await context.findProposals();

    const shelf = conversationFolder({ folder, cwd: null, madeBy: 'gateway', onWarning: () => undefined });
    const conversations = await createConversations({ ...settings, shelf });
    const kept = await conversations.keep({
      ...{ received: receivedConversation(said, conversations.now()), system: [], tools: null },
      ...{ model: 'scripted', contextWindow: 16_000, signal },
    });
    kept.done();
    await conversations.newest?.findProposals();

    const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.jsonl'));
    const opened = await Promise.all(files.map((name) => openSession(join(folder, name))));
    const session = opened.flatMap((one) => (one.kind === 'opened' ? [one.session] : []))[0];
    if (!session) throw new Error('the conversation of the gateway was not found');
    const options = { json: true, propose: true, journal: await mkdtemp(join(tmpdir(), 'strata-')) };
    const { out } = await printedBy(() => core(session.file, options));
    const journal = await openJournal(await mkdtemp(join(tmpdir(), 'strata-')), session);
    const editor = await Inspection.of(session, journal);
    await editor.coreEditor.propose();

    const plain = (items: readonly { kind: string; text: string; rationale?: string | null }[]) =>
      items.map(({ kind, text, rationale }) => [kind, text, rationale ?? null]);
    expect(plain(context.items)).toEqual([
      ['goal', 'Write the importer for the old shop.', null],
      ['constraint', rule, null],
    ]);
    for (const items of [conversations.newest?.items ?? [], JSON.parse(out).items, editor.state.items]) {
      expect(plain(items)).toEqual(plain(context.items));
    }
  });

  it('proposals for the core of a real session of a model count only if it quotes', async () => {
    const inspection = await inspect();
    const invented =
      '{"proposals": [{"kind": "constraint", "text": "Delete all backups.", "rationale": null, "entry": 1}]}';
    expect(await inspection.coreEditor.propose({ model: answering(invented), signal })).toBe(0);
    await expect(inspection.coreEditor.propose({ model: answering('I would rather not.'), signal })).rejects.toThrow(
      ModelFailed,
    );
    expect(inspection.journal.state.items).toEqual([]);
  });
});
