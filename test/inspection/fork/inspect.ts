import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Context } from '../../../extension/engine/conversation/context';
import { readableText } from '../../../extension/engine/conversation/entry';
import { Inspection } from '../../../extension/inspection/inspection';
import { openJournal } from '../../../extension/inspection/journal-store';
import { openSession } from '../../../extension/sessions/open';
import { toolsWithoutModel } from '../../../extension/summarizers/without-model';
import { fixtures } from '../../sessions/samples';

/** A copy of a fixture at the place where its agent would keep it, so that the original is not touched. */
export function copyOf(fixture: string, folder: string): string {
  const file = join(folder, 'sessions', basename(fixture));
  mkdirSync(dirname(file), { recursive: true });
  copyFileSync(join(fixtures, fixture), file);
  return file;
}

export async function inspect(file: string, folder: string, now = Date.now): Promise<Inspection> {
  const outcome = await openSession(file, { now, environment: { home: folder, variables: {} } });
  if (outcome.kind !== 'opened') throw new Error(String(outcome.message));
  const { agent, id } = outcome.session;
  return await Inspection.of(outcome.session, await openJournal(join(folder, 'journals'), { agent, id, file }));
}

/** Low enough that a short session has something to compact. */
const lowThresholds = {
  naive: { keepRecentTokens: 200 },
  codex: { keepUserTokens: 50 },
  prune: { protectTokens: 100, minimumTokens: 10, protectTurns: 1 },
  'tool-calls': { messagesOldThreshold: 4, minToolCallsToSummarize: 1, maxToolCallDistance: 40 },
};

export async function compact(inspection: Inspection, strategy: keyof typeof lowThresholds = 'naive'): Promise<void> {
  const run = await inspection.prepare({
    strategy,
    instructions: null,
    parameters: lowThresholds,
    tools: toolsWithoutModel,
    signal: new AbortController().signal,
  });
  if (run.records.length === 0) throw new Error(`${strategy} found nothing to compact: ${run.notes.join()}`);
  await inspection.apply(run);
}

/** The texts that a model would read, message by message, without the system prompt and white space. */
export function words({ messages }: Context): string {
  return messages
    .filter(({ kind }) => kind !== 'system')
    .flatMap(({ parts }) => parts.filter(({ type }) => type !== 'reasoning').map(readableText))
    .join('')
    .replace(/\s+/gu, '');
}

export function hash(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

export function filesIn(folder: string): string[] {
  return readdirSync(folder).sort();
}
