import { neverAborted } from '../conversations/never-aborted';
import type { Memory } from '../engine/block/memory';
import { fetchRemembered, memoryOf, search, timeline, wholeText } from '../engine/memory/recall';
import type { Inspection } from '../inspection/inspection';
import { memoryHitText, timelineLines } from '../inspection/lookup/memory-lines';
import { NamedEntries, UnknownReference } from '../inspection/lookup/named-entries';
import { textOfEntry } from '../inspection/lookup/passages';
import { localEmbedder } from '../models/embeddings/local';
import { CommandFailed } from './command-failed';
import { openInspection } from './opened';
import { print, printJson } from './output';
import type { JournalOptions } from './session-with-journal';

interface RecallOptions extends JournalOptions {
  readonly timeline?: string;
  readonly fetch?: readonly string[];
  readonly json?: boolean;
}

/** Search, then look around a hit, then fetch whole records: each step prints more than the previous one. */
export async function recall(file: string, query: string | undefined, options: RecallOptions): Promise<void> {
  const asked = [query, options.timeline, options.fetch].filter((way) => way !== undefined);
  if (asked.length !== 1) throw new CommandFailed('give exactly one of a query, --timeline and --fetch', true);
  const inspection = await openInspection(file, options);
  const memory = memoryOf(inspection.journal.state);
  if (options.timeline !== undefined) showTimeline(memory, options.timeline, options.json === true);
  else if (options.fetch !== undefined) showWhole(inspection, memory, options.fetch, options.json === true);
  else await showHits(memory, query ?? '', options.json === true);
}

async function showHits(memory: Memory, query: string, json: boolean): Promise<void> {
  if (query.trim() === '') throw new CommandFailed('the query is empty', true);
  const hits = await search(memory, query, { embedder: localEmbedder, signal: neverAborted() });
  if (json) printJson({ query, hits });
  else print(hits.length === 0 ? nothingRemembered : hits.map(memoryHitText).join('\n'));
}

const nothingRemembered =
  'This session has no memory records. Compactions with a-mem, observations or hybrid create them.';

function showTimeline(memory: Memory, id: string, json: boolean): void {
  const found = timeline(memory, id);
  if (found.kind === 'unknown') throw new CommandFailed(`this session has no memory record with the id "${id}"`);
  const { before, at, after } = found;
  if (json) printJson({ before, at, after });
  else print(timelineLines(found).join('\n'));
}

/** Memory records, and the messages that references in blocks name. */
function showWhole(inspection: Inspection, memory: Memory, ids: readonly string[], json: boolean): void {
  const { found, unknown } = fetchRemembered(memory, ids);
  const entries = unknown.length === 0 ? [] : entriesNamed(inspection, unknown);
  if (json) printJson([...found.map(({ kind, item }) => ({ kind, ...item })), ...entries]);
  else print([...found.map(wholeText), ...entries.map(({ text }) => text)].join('\n\n'));
}

function entriesNamed(inspection: Inspection, references: readonly string[]) {
  const named = new NamedEntries(inspection);
  try {
    return references
      .flatMap((reference) => named.findAll(reference))
      .map(({ entry }) => ({ kind: 'entry', id: entry.id, role: entry.role, text: textOfEntry(entry) }));
  } catch (error) {
    if (error instanceof UnknownReference) throw new CommandFailed(error.message);
    throw error;
  }
}
