import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lost } from '../../extension/cli/lost';
import { readableText, textOf } from '../../extension/engine/conversation/entry';
import { Inspection } from '../../extension/inspection/inspection';
import { openJournal } from '../../extension/inspection/journal-store';
import { promptWithout, rescueOf } from '../../extension/inspection/rescue';
import type { Rescue } from '../../extension/inspection/rescue-prompt';
import { openSession } from '../../extension/sessions/open';
import { printedBy } from '../builders/printed';
import { everySample, fixtures } from '../sessions/samples';
import { temporaryFolders } from '../sessions/temporary';

const newFolder = temporaryFolders();

/** A real session of pi that forgot things when it compacted. */
const forgetful = join(fixtures, 'pi-v1/until-after-first-compaction.jsonl');
/** A real session of Codex whose summary only its provider can read. */
const encrypted = join(fixtures, 'codex-0.169/remote-compaction.jsonl');
const neverCompacted = join(fixtures, 'claude-code-2.1.330/before-compaction.jsonl');

async function inspectionOf(file: string): Promise<Inspection> {
  const outcome = await openSession(file);
  if (outcome.kind !== 'opened') throw new Error(String(outcome.message));
  const { agent, id } = outcome.session;
  return await Inspection.of(outcome.session, await openJournal(newFolder(), { agent, id, file }));
}

async function rescued(file: string): Promise<{ inspection: Inspection; rescue: Rescue }> {
  const inspection = await inspectionOf(file);
  const outcome = rescueOf(inspection);
  if (outcome.kind !== 'forgot') throw new Error(`nothing was forgotten: ${outcome.kind}`);
  return { inspection, rescue: outcome.rescue };
}

function oneSpaced(text: string): string {
  return text.replace(/\s+/g, ' ');
}

describe('what the agent’s newest compaction forgot', () => {
  it.each(everySample().map(({ name, file }) => [name, file]))(
    'is what was replaced, not in the context, and short: %s',
    async (_name, file) => {
      const inspection = await inspectionOf(file);
      const outcome = rescueOf(inspection);
      if (outcome.kind !== 'forgot') return;
      const { conversation } = inspection;
      const { rescue } = outcome;
      const replaced = new Set(rescue.compaction.replacedEntryIds);
      const context = oneSpaced(conversation.agentContext.flatMap(({ parts }) => parts.map(readableText)).join('\n'));
      for (const { kind, text, entryId } of rescue.forgotten) {
        expect(replaced).toContain(entryId);
        const entry = conversation.entries.find(({ id }) => id === entryId);
        if (kind === 'message') expect(oneSpaced(textOf(entry?.parts ?? []))).toContain(oneSpaced(text));
        if (kind === 'message') expect(context).not.toContain(oneSpaced(text));
        expect(oneSpaced(rescue.prompt)).toContain(oneSpaced(text).slice(0, 500));
      }
      expect(rescue.tokens).toBeLessThanOrEqual(1500);
    },
    60_000,
  );

  it('is what a real session of pi lost: the message that it began with, and a rule for its plan', async () => {
    const { rescue } = await rescued(forgetful);
    expect(new Set(rescue.forgotten.map(({ kind }) => kind))).toEqual(new Set(['message']));
    expect(rescue.prompt).toContain('i feel like this is one big mess and could be refactored to be nicer.');
    expect(rescue.prompt).toContain('this plan must be written in such a way, that you can starta');
  });

  it('is copied without what the person unticked', async () => {
    const { rescue } = await rescued(forgetful);
    const [first] = rescue.forgotten;
    const rest = promptWithout(rescue, [first?.key ?? '']);
    expect(rest).not.toContain(first?.text);
    expect(promptWithout(rescue, [])).toBe(rescue.prompt);
  });

  it('is nothing any more as soon as the prompt was sent to the agent', async () => {
    const { rescue } = await rescued(forgetful);
    const file = join(newFolder(), 'told.jsonl');
    const record = {
      type: 'message',
      timestamp: '2025-12-09T12:00:00.000Z',
      message: { role: 'user', content: [{ type: 'text', text: rescue.prompt }], timestamp: 1765281600000 },
    };
    await writeFile(file, `${await readFile(forgetful, 'utf8')}${JSON.stringify(record)}\n`);
    expect(rescueOf(await inspectionOf(file)).kind).toBe('nothing-forgotten');
  });

  it('is nothing that a memory file of the agent says', async () => {
    const { inspection, rescue } = await rescued(forgetful);
    inspection.memoryFiles = [{ kind: 'memory', path: 'AGENTS.md', text: rescue.prompt }];
    expect(rescueOf(inspection).kind).toBe('nothing-forgotten');
  });

  it('is unknown if the summary is encrypted, and nothing before a compaction', async () => {
    expect(rescueOf(await inspectionOf(encrypted)).kind).toBe('unreadable');
    expect(rescueOf(await inspectionOf(neverCompacted)).kind).toBe('not-compacted');
  });
});

describe('strata lost', () => {
  const options = () => ({ journal: newFolder() });

  it('prints the prompt and nothing else, so that it can be piped into an agent', async () => {
    const { rescue } = await rescued(forgetful);
    expect(await printedBy(() => lost(forgetful, options()))).toEqual({ out: `${rescue.prompt}\n`, err: '' });
  });

  it('prints the reason to standard error if there is none', async () => {
    const { out, err } = await printedBy(() => lost(encrypted, options()));
    expect(out).toBe('');
    expect(err).toContain('The summary is encrypted for the provider of Codex');
  });
});
