import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Embedder } from '../../../extension/engine/block/language-model';
import { Inspection } from '../../../extension/inspection/inspection';
import { openJournal } from '../../../extension/inspection/journal-store';
import type { SearchTools } from '../../../extension/inspection/lookup/search-passages';
import { openSession } from '../../../extension/sessions/open';

export const samples = {
  pi: 'pi-v1/until-after-first-compaction.jsonl',
  claude: 'claude-code-2.1.14/auto-compaction.jsonl',
  uncompacted: 'pi-0.87/before-compaction.jsonl',
} as const;

/** A real session with an empty journal of its own. */
export async function inspect(sample: keyof typeof samples): Promise<Inspection> {
  const outcome = await openSession(resolve(import.meta.dirname, '../../fixtures', samples[sample]));
  if (outcome.kind !== 'opened') throw new Error(String(outcome.message));
  const { agent, id, file } = outcome.session;
  const folder = await mkdtemp(join(tmpdir(), 'strata-lookup-'));
  return await Inspection.of(outcome.session, await openJournal(folder, { agent, id, file }));
}

export function searching(embedder: Embedder | null = null): SearchTools & { readonly warnings: string[] } {
  const warnings: string[] = [];
  return { embedder, signal: new AbortController().signal, warn: (message) => warnings.push(message), warnings };
}
