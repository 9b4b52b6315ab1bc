import type { Entry, Part } from '../../engine/conversation/entry';
import { toolCalls } from '../../engine/conversation/entry';
import { append } from '../records/append';
import { lastWhere } from '../records/last';
import { clearedResultText, type Preserved } from './compactions';
import type { Author } from './person';
import type { Reply } from './reply';
import { pathTo, type ResultNode, type RowNode } from './rows';

/*
 * Claude Code makes its request out of the rows between the newest row and the root. What is written down here was
 * seen: in the request log that version 2.1.330 keeps in its session files (the hashes of messages are those of the
 * rows named), and by having it resume files made for the purpose.
 */

/** The messages of a request, without the system prompt. */
export interface RequestContext {
  readonly entries: readonly Entry[];
  readonly awaitsReply: boolean;
}

export type ResultsOf = (callId: string) => readonly ResultNode[];

export function contextAt(leaf: RowNode | null, resultsOf: ResultsOf): RequestContext {
  const path = sinceLastBoundary(pathTo(leaf));
  const runs = runsOf(withPreserved(path), resultsOf);
  return { entries: cleared(messagesOf(runs), path), awaitsReply: awaitsReply(runs.at(-1)) };
}

/** A boundary has no parent, so the path starts with it; a file that says otherwise is cut all the same. */
function sinceLastBoundary(path: readonly RowNode[]): readonly RowNode[] {
  const boundary = lastWhere(path, (row) => row.content.kind === 'boundary');
  return boundary === undefined ? path : path.slice(path.indexOf(boundary));
}

/** A row in the order in which rows are sent. */
interface SentRow {
  readonly row: RowNode;
  /** The rows that are kept of an older part; null where all that belongs to this row is sent. */
  readonly only: ReadonlySet<string> | null;
}

/** Preserved rows follow the row that the boundary names; without it, the summary. */
function withPreserved(path: readonly RowNode[]): SentRow[] {
  const sent = path.map((row): SentRow => ({ row, only: null }));
  const [first] = path;
  if (first?.content.kind !== 'boundary') return sent;
  const { preserved } = first.content.boundary;
  const anchor = path.findIndex((row) => row.uuid === preserved.anchor);
  const place = anchor < 0 ? 2 : anchor + 1;
  return [...sent.slice(0, place), ...preservedRows(preserved), ...sent.slice(place)];
}

function preservedRows(preserved: Preserved): SentRow[] {
  const only = preserved.exact ? new Set(preserved.rows.map((row) => row.uuid)) : null;
  return preserved.rows.map((row) => ({ row, only }));
}

/**
 * A reply and what follows it up to the next reply, in the order in which it is sent: results of its calls, attachments,
 * texts, notes. Attachments stand after the text they came with in the file, and are moved up to the reply; notes of
 * the system role are moved down to the next reply.
 */
interface Run {
  /** Null before the first reply, and for a reply that is not sent: attachments are not moved across either. */
  readonly reply: Entry | null;
  readonly results: Entry[];
  readonly attached: Entry[];
  readonly said: { readonly entry: Entry; readonly author: Author }[];
  readonly noted: Entry[];
}

function runsOf(rows: readonly SentRow[], resultsOf: ResultsOf): Run[] {
  let run = emptyRun(null);
  const runs = [run];
  const seen = new Set<Reply>();
  for (const { row, only } of rows) {
    const { content } = row;
    switch (content.kind) {
      case 'reply':
        if (seen.has(content.reply)) break;
        seen.add(content.reply);
        run = runOf(content.reply, only, resultsOf);
        runs.push(run);
        break;
      case 'said':
        run.said.push(content);
        break;
      case 'results':
        // The results themselves were found by their calls; one without a call is not sent.
        if (content.said !== null) run.said.push({ entry: content.said, author: content.author });
        break;
      case 'attached':
        if (content.author === 'person') run.said.push(content);
        else if (content.entry.role === 'system') run.noted.push(content.entry);
        else run.attached.push(content.entry);
        break;
    }
  }
  return runs;
}

function emptyRun(reply: Entry | null): Run {
  return { reply, results: [], attached: [], said: [], noted: [] };
}

/**
 * Results of parallel calls are branches of the tree, of which the path holds one; all are sent, in the order of the
 * file, not of the calls. A call that was answered twice counts once.
 */
function runOf(reply: Reply, only: ReadonlySet<string> | null, resultsOf: ResultsOf): Run {
  if (!reply.sent) return emptyRun(null);
  const entry = only === null ? reply.entry : reply.entryOf(only);
  const results = toolCalls(entry.parts)
    .map((call) => resultsOf(call.callId).find((result) => only === null || only.has(result.uuid)))
    .filter((result) => result !== undefined)
    .map((result) => result.entry)
    .sort((one, other) => one.origin.line - other.origin.line);
  return { ...emptyRun(entry), results };
}

function messagesOf(runs: readonly Run[]): Entry[] {
  const messages: Entry[] = [];
  let notes: Entry[] = [];
  for (const run of runs) {
    const isRunning = run === runs.at(-1) && run.said.length === 0;
    const reply = isRunning ? run.reply : settled(run);
    if (reply !== null) {
      append(messages, notes);
      messages.push(reply);
      notes = [];
    }
    append(messages, run.results);
    append(messages, run.attached);
    for (const text of run.said) messages.push(text.entry);
    append(notes, run.noted);
  }
  append(messages, notes);
  return messages;
}

/**
 * A reply that work went on after: calls that never got a result are not sent, nor is a reply that then has neither a
 * call nor a visible text, be it all reasoning.
 */
function settled(run: Run): Entry | null {
  if (run.reply === null) return null;
  const answered = new Set(run.results.flatMap((entry) => entry.parts.map(callIdOf)));
  const parts = run.reply.parts.filter((part) => part.type !== 'tool_call' || answered.has(part.callId));
  if (!parts.some(saysSomething)) return null;
  return parts.length === run.reply.parts.length ? run.reply : { ...run.reply, parts };
}

function callIdOf(part: Part): string | null {
  return part.type === 'tool_result' ? part.callId : null;
}

function saysSomething(part: Part): boolean {
  return part.type === 'tool_call' || (part.type === 'text' && part.text.trim() !== '');
}

/**
 * Results that a clearing named, with the marker in place of their text. Clearing is done in the running program:
 * version 2.1.330, which no longer writes such rows, sends the results in full when it resumes a file with them.
 */
function cleared(messages: Entry[], path: readonly RowNode[]): Entry[] {
  const callIds = new Set(
    path.flatMap((row) => (row.content.kind === 'clearing' ? [...row.content.clearing.callIds] : [])),
  );
  if (callIds.size === 0) return messages;
  return messages.map((entry) => {
    const result = entry.parts.find((part) => part.type === 'tool_result');
    if (result === undefined || !callIds.has(result.callId)) return entry;
    return { ...entry, parts: [{ ...result, text: clearedResultText }] };
  });
}

/** Whether the agent has yet to answer what came last. Commands, reminders and summaries ask for nothing. */
function awaitsReply(run: Run | undefined): boolean {
  if (run === undefined) return false;
  const last = lastWhere(run.said, ({ author }) => author !== 'agent');
  if (last !== undefined) return last.author !== 'interruption';
  return run.results.length > 0 || (run.reply !== null && toolCalls(run.reply.parts).length > 0);
}
