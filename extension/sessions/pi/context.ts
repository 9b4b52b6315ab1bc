import { type Entry, toolCalls } from '../../engine/conversation/entry';
import { lastWhere } from '../records/last';
import { PairedContext } from '../records/paired-context';
import { type PiMessage, withContent } from './messages';
import type { Compaction, ContextEdit, RecordNode } from './records';

/*
 * What pi would send, by the sources of versions 0.58.3 and 0.87.1: the records from the leaf to the root, from the
 * newest compaction on, with the part before it that the compaction kept.
 */

export interface PiContext {
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
  const kept = keptBy(compaction, node).filter((record) => !isPrompt(record));
  return [...compaction.messages, ...edited([...kept, ...newer])];
}

function keptBy(compaction: Compaction, node: RecordNode): RecordNode[] {
  const { firstKeptId } = compaction;
  if (firstKeptId === null || firstKeptId === node.id) return [];
  const kept: RecordNode[] = [];
  for (let older = node.parent; older !== null; older = older.parent) {
    kept.push(older);
    if (older.id === firstKeptId) return kept.reverse();
  }
  return [];
}

/** The compaction repeats the prompt, so prompts in the kept part are not sent again. */
function isPrompt(node: RecordNode): boolean {
  return node.content.kind === 'message' && node.content.message.entry.role === 'system';
}

/** Of several edits of one message the newest holds. An older compaction in the kept part adds nothing. */
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
 * The messages less those that pi leaves out, each call followed by its result. A call that work went on after without
 * a result gets the one that pi makes up; the newest reply's calls may still be running.
 */
function sendable(messages: readonly PiMessage[]): Entry[] {
  const context = new PairedContext('No result provided');
  for (const { entry, fate } of messages) {
    if (fate === 'withheld') continue;
    if (entry.role === 'assistant') context.reply(fate === 'sent' ? entry : null);
    else if (entry.role === 'tool') context.result(entry);
    else if (entry.role === 'system') context.prompt(entry);
    else context.text(entry);
  }
  return context.end();
}

/** Whether pi has yet to answer what came last. Shell commands, summaries and messages of extensions ask for nothing. */
function awaitsReply(messages: readonly PiMessage[]): boolean {
  const last = lastWhere(messages, ({ entry }) => entry.role !== 'system' && !entry.injected);
  if (last === undefined) return false;
  if (last.entry.role !== 'assistant') return true;
  return last.fate === 'sent' && toolCalls(last.entry.parts).length > 0;
}
