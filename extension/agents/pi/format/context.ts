import { type Entry, toolCalls } from '../../../engine/conversation/entry';
import { PairedContext } from '../../../sessions/records/paired-context';
import { type PiMessage, withContent } from './messages';
import type { Compaction, ContextEdit, RecordNode } from './records';

/*
 * Follows the sources of pi 0.58.3 and 0.87.1: it sends the records on the path from root to leaf, starting
 * at the newest compaction, with the part before it that the compaction kept.
 */

interface PiContext {
  readonly entries: readonly Entry[];
  readonly awaitsReply: boolean;
}

export function contextAt(leaf: RecordNode | null): PiContext {
  const messages = messagesAt(leaf);
  return { entries: sendable(messages), awaitsReply: awaitsReply(messages) };
}

function messagesAt(leaf: RecordNode | null): PiMessage[] {
  const newer: RecordNode[] = [];
  let node = leaf;
  while (node !== null && node.content.kind !== 'compaction') {
    newer.push(node);
    node = node.parent;
  }
  newer.reverse();
  if (node?.content.kind !== 'compaction') return edited(newer);
  const { compaction } = node.content;
  const kept = keptBy(compaction, node).filter((record) => !isSystemPrompt(record));
  return [...compaction.messages, ...edited([...kept, ...newer])];
}

function keptBy(compaction: Compaction, node: RecordNode): RecordNode[] {
  const { firstKeptId, keptMessages } = compaction;
  if (firstKeptId === null && keptMessages !== null) return newestMessages(node, keptMessages);
  if (firstKeptId === null || firstKeptId === node.id) return [];
  const kept: RecordNode[] = [];
  for (let older = node.parent; older !== null; older = older.parent) {
    kept.push(older);
    if (older.id === firstKeptId) return kept.reverse();
  }
  return [];
}

/** The newest `count` messages before a compaction, extended back to the prompt of the oldest turn or to an earlier compaction. */
function newestMessages(compaction: RecordNode, count: number): RecordNode[] {
  const newest: RecordNode[] = [];
  let missing = count;
  for (let node = compaction.parent; node !== null && node.content.kind !== 'compaction'; node = node.parent) {
    if (count === 0) break;
    newest.push(node);
    if (isMessage(node)) missing -= 1;
    if (missing <= 0 && opensTurn(node)) break;
  }
  return newest.reverse();
}

function isMessage(node: RecordNode): boolean {
  return node.content.kind === 'message' && !isSystemPrompt(node);
}

function opensTurn({ content }: RecordNode): boolean {
  return content.kind === 'message' && content.message.entry.role === 'user' && !content.message.entry.injected;
}

/** The compaction repeats the prompt, so prompts in the kept part are not sent again. */
function isSystemPrompt(node: RecordNode): boolean {
  return node.content.kind === 'message' && node.content.message.entry.role === 'system';
}

/** The newest edit of a message counts. An older compaction in the kept part adds nothing. */
function edited(nodes: readonly RecordNode[]): PiMessage[] {
  const edits = new Map<string, ContextEdit>();
  for (const { content } of nodes) if (content.kind === 'edit') edits.set(content.edit.targetId, content.edit);
  return nodes.flatMap(({ id, content }) =>
    content.kind === 'message' ? editedMessage(content.message, edits.get(id)) : [],
  );
}

function editedMessage(message: PiMessage, edit: ContextEdit | undefined): PiMessage[] {
  if (edit === undefined) return [message];
  if (edit.replacement.kind === 'omit') return [];
  return [message.replaceable ? withContent(message, edit.replacement.content) : message];
}

/**
 * The messages that pi sends, each call followed by its result. If work went on after a call without a result, pi
 * synthesizes one. The calls of the newest reply may still be running.
 */
function sendable(messages: readonly PiMessage[]): Entry[] {
  const context = new PairedContext('No result provided');
  for (const { entry, fate } of messages) {
    if (fate === 'withheld') continue;
    if (fate === 'stopped') context.reply(null);
    else if (entry.role === 'system') context.prompt(entry);
    else context.add(entry);
  }
  return context.end();
}

/** Whether pi has yet to answer the newest message. Shell commands, summaries and extensions' messages need no answer. */
function awaitsReply(messages: readonly PiMessage[]): boolean {
  const last = messages.findLast(({ entry }) => entry.role !== 'system' && !entry.injected);
  if (last === undefined) return false;
  if (last.entry.role !== 'assistant') return true;
  return last.fate === 'sent' && toolCalls(last.entry.parts).length > 0;
}
