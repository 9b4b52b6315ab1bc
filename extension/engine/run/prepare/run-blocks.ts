import type { Context } from '../../conversation/context';
import type { CompactionRecord } from '../../journal/records';

/**
 * The records of a run that the resulting context shows as a message, or as lines in place of tool output. The others
 * lie beneath these and are not read by the model.
 */
export function recordsInContext<R extends CompactionRecord>(records: readonly R[]): R[] {
  const owners = ownersIn(records);
  return records.filter((record) => record.entryIds.some((id) => owners.get(id) === record));
}

/** By entry, the record that the context has in its place: the newest one over it. */
function ownersIn<R extends CompactionRecord>(records: readonly R[]): ReadonlyMap<string, R> {
  return new Map(records.flatMap((record) => record.entryIds.map((id) => [id, record] as const)));
}

/** For each record, the record of the run in the context that covers it; null if it is in the context itself. */
export function coveredBy<R extends CompactionRecord>(records: readonly R[]): (R | null)[] {
  const owners = ownersIn(records);
  const shown = new Set(recordsInContext(records));
  return records.map((record) => {
    const [first = ''] = record.entryIds;
    return shown.has(record) ? null : (owners.get(first) ?? null);
  });
}

/** Counts of blocks by how a context contains them. */
export interface BlocksInContext {
  /** Blocks that are messages. */
  readonly blocks: number;
  /** Tool outputs that a line replaces. */
  readonly outputs: number;
  /** Blocks that lie beneath others and are not in the context. */
  readonly beneath: number;
}

/** How the context contains these blocks, none of which is undone. */
export function blocksIn({ messages }: Context, blocks: readonly Pick<CompactionRecord, 'seq'>[]): BlocksInContext {
  const seqs = new Set(blocks.map(({ seq }) => seq));
  const asMessages = messages.filter(({ block }) => block && seqs.has(block.seq));
  const asLines = messages.filter(({ pruned }) => pruned && seqs.has(pruned.seq));
  const there = new Set([...asMessages, ...asLines].map(({ block, pruned }) => (block ?? pruned)?.seq));
  return { blocks: asMessages.length, outputs: asLines.length, beneath: seqs.size - there.size };
}

/** The seqs of the blocks in the context, as messages or as lines in place of tool output. */
export function seqsIn({ messages }: Context): ReadonlySet<number> {
  return new Set(messages.flatMap(({ block, pruned }) => (block ?? pruned)?.seq ?? []));
}
