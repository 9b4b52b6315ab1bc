import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type LanguageModel, ModelFailed } from '../../extension/engine/block/language-model';
import { textOf } from '../../extension/engine/conversation/entry';
import { Inspection } from '../../extension/inspection/inspection';
import { openJournal } from '../../extension/inspection/journal-store';
import { openSession } from '../../extension/sessions/open';

const fixtures = resolve(import.meta.dirname, '../fixtures');

async function inspect(): Promise<Inspection> {
  const outcome = await openSession(join(fixtures, 'pi-v1/until-after-first-compaction.jsonl'));
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
  it('proposals for the core of a real session stand verbatim in the entry they name, and not in the context before a person confirms them', async () => {
    const inspection = await inspect();
    const before = JSON.stringify(inspection.context);
    expect(await inspection.propose()).toBeGreaterThan(0);
    const { items } = inspection.journal.state;
    for (const { text, entryId, status, proposedBy } of items) {
      expect({ status, proposedBy }).toEqual({ status: 'proposed', proposedBy: 'sentences' });
      const entry = inspection.session.conversation.entries.find(({ id }) => id === entryId);
      expect(textOf(entry?.parts ?? []).replace(/\s+/g, ' ')).toContain(text.replace(/\s+/g, ' '));
    }
    expect(JSON.stringify(inspection.context)).toBe(before);
    await inspection.changeItem(items[0]?.id ?? '', 'active');
    expect(textOf(inspection.context.messages.find(({ kind }) => kind === 'core')?.parts ?? [])).toContain(
      items[0]?.text,
    );
  });

  it('proposals for the core of a real session are not made again, whether they were confirmed or refused', async () => {
    const inspection = await inspect();
    let rounds = 0;
    while ((await inspection.propose()) > 0) rounds += 1;
    expect(rounds).toBeGreaterThan(0);
    for (const { id } of inspection.journal.state.items) await inspection.changeItem(id, 'refused');
    expect(await inspection.propose()).toBe(0);
  });

  it('proposals for the core of a real session become pinned when a person pins the same words', async () => {
    const inspection = await inspect();
    await inspection.propose();
    const [proposal] = inspection.journal.state.items;
    if (!proposal) throw new Error('nothing was proposed');
    await inspection.pin(proposal.kind, proposal.text, null);
    const same = inspection.journal.state.items.filter(({ text }) => text === proposal.text);
    expect(same.map(({ status }) => status)).toEqual(['active']);
  });

  it('proposals for the core of a real session of a model count only where it quotes', async () => {
    const inspection = await inspect();
    const invented =
      '{"proposals": [{"kind": "constraint", "text": "Delete all backups.", "rationale": null, "entry": 1}]}';
    expect(await inspection.propose({ model: answering(invented), signal })).toBe(0);
    await expect(inspection.propose({ model: answering('I would rather not.'), signal })).rejects.toThrow(ModelFailed);
    expect(inspection.journal.state.items).toEqual([]);
  });
});
