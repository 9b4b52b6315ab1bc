import { type Entry, textOf, toolCalls } from '../../../engine/conversation/entry';
import { PairedContext } from '../../../sessions/records/paired-context';
import type { GrowingEntry } from './growing-entry';
import type { RowTree } from './row-tree';
import type { RowNode } from './rows';

/*
 * The context that Qwen Code 0.24.4 sends: the rows from the newest one back to the root, or to the newest compression
 * on that path, whose history replaces all earlier rows.
 */

interface QwenContext {
  readonly entries: readonly Entry[];
  readonly awaitsReply: boolean;
}

/** Qwen Code's placeholder for a result that was never recorded. */
const missingResult =
  'Tool execution result was not recorded — likely interrupted by network failure, abort, or process exit. Treat as failure and retry if needed.';

export function contextAt(tree: RowTree, leaf: RowNode | null): QwenContext {
  const rows = rowsAt(tree, leaf);
  const context = new PairedContext(missingResult);
  let reply: GrowingEntry | null = null;
  for (const { content } of rows) {
    if (content.kind === 'reply') {
      // The rows of one reply are adjacent.
      if (content.reply !== reply) context.reply(content.reply.entry);
      reply = content.reply;
      continue;
    }
    reply = null;
    for (const entry of entriesOf(content)) send(context, entry);
  }
  return { entries: context.end(), awaitsReply: awaitsReply(rows.at(-1)) };
}

function send(context: PairedContext, entry: Entry): void {
  // Qwen Code moves a result that follows a notification to its call.
  if (entry.role === 'user' && entry.injected) context.prompt(entry);
  else context.add(entry);
}

function entriesOf(content: RowNode['content']): readonly Entry[] {
  if (content.kind === 'user') return content.message.entries();
  return content.kind === 'compression' ? content.compression.history : [];
}

function rowsAt(tree: RowTree, leaf: RowNode | null): RowNode[] {
  const newestFirst: RowNode[] = [];
  for (const row of tree.pathFrom(leaf)) {
    newestFirst.push(row);
    if (row.content.kind === 'compression') break;
  }
  const rows: RowNode[] = [];
  for (const row of newestFirst.reverse()) {
    if (row.content.kind === 'answered-command' && isPromptOf(rows.at(-1), row.content.command)) rows.pop();
    else if (row.content.kind !== 'state' && row.content.kind !== 'answered-command') rows.push(row);
  }
  return rows;
}

function isPromptOf(row: RowNode | undefined, command: string): boolean {
  return (
    row?.content.kind === 'user' && textOf(row.content.message.texts().flatMap((entry) => entry.parts)) === command
  );
}

/** A notification also requests a reply. */
function awaitsReply(last: RowNode | undefined): boolean {
  if (last?.content.kind === 'user') return true;
  return last?.content.kind === 'reply' && toolCalls(last.content.reply.entry.parts).length > 0;
}
