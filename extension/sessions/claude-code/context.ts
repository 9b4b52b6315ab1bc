import type { Entry, Part } from '../../engine/conversation/entry';
import { toolCalls } from '../../engine/conversation/entry';
import { append } from '../records/append';
import { lastWhere } from '../records/last';
import { clearedResultText } from './compactions';
import type { Author } from './person';
import type { Reply, ResultNode } from './reply';
import { type Preserved, pathTo, type RowNode } from './rows';

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

export function contextAt(leaf: RowNode | null): RequestContext {
  const path = sinceLastBoundary(pathTo(leaf));
  const runs = runsOf(withPreserved(path));
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
  /** The reply is not complete yet. */
  readonly isUnfinished: boolean;
  /** By the calls they answer. */
  readonly results: Map<string, Entry>;
  readonly attached: Entry[];
  readonly said: { readonly entry: Entry; readonly author: Author }[];
  readonly noted: Entry[];
}

function runsOf(rows: readonly SentRow[]): Run[] {
  const running = new RunningCalls();
  let run = emptyRun(null);
  const runs = [run];
  const seen = new Set<Reply>();
  for (const { row, only } of rows) {
    const { content } = row;
    switch (content.kind) {
      case 'reply':
        if (seen.has(content.reply)) break;
        seen.add(content.reply);
        run = runOf(content.reply, only);
        running.begin(run, only === null ? content.reply : null);
        runs.push(run);
        break;
      case 'said':
        run.said.push(content);
        break;
      case 'results':
        for (const result of content.results) running.answer(result);
        if (content.said !== null) run.said.push({ entry: content.said, author: content.author });
        break;
      case 'attached':
        if (content.author === 'person') run.said.push(content);
        else if (content.entry.role === 'system') run.noted.push(content.entry);
        else run.attached.push(content.entry);
        break;
    }
  }
  running.addParallelResults();
  return runs;
}

function emptyRun(reply: Entry | null, isUnfinished = false): Run {
  return { reply, isUnfinished, results: new Map(), attached: [], said: [], noted: [] };
}

function runOf(reply: Reply, only: ReadonlySet<string> | null): Run {
  if (!reply.sent) return emptyRun(null);
  return emptyRun(only === null ? reply.sentEntry : reply.entryOf(only), reply.isUnfinished);
}

/** Which call a result answers: the newest one of that id before it. */
class RunningCalls {
  readonly #newest = new Map<string, Run>();
  readonly #whole: { readonly run: Run; readonly reply: Reply }[] = [];

  /** @param whole the reply, where all that belongs to it is sent. */
  begin(run: Run, whole: Reply | null): void {
    if (run.reply === null) return;
    for (const call of toolCalls(run.reply.parts)) this.#newest.set(call.callId, run);
    if (whole !== null) this.#whole.push({ run, reply: whole });
  }

  /** A call that was answered twice counts once; a result without a call is not sent. */
  answer({ callId, entry }: ResultNode): void {
    const run = this.#newest.get(callId);
    if (run !== undefined && !run.results.has(callId)) run.results.set(callId, entry);
  }

  /** Results of parallel calls are branches of the tree, of which the path holds one; all are sent. */
  addParallelResults(): void {
    for (const { run, reply } of this.#whole) {
      for (const { callId } of toolCalls(run.reply?.parts ?? [])) {
        const result = run.results.has(callId) ? undefined : reply.resultOf(callId);
        if (result !== undefined) run.results.set(callId, result.entry);
      }
    }
  }
}

function messagesOf(runs: readonly Run[]): Entry[] {
  const messages: Entry[] = [];
  const sentCalls = new Set<string>();
  let notes: Entry[] = [];
  for (const run of runs) {
    const isRunning = run === runs.at(-1) && run.said.length === 0;
    const exchange = exchangeOf(run, sentCalls, isRunning);
    if (exchange.reply !== null) {
      append(messages, notes);
      messages.push(exchange.reply);
      notes = [];
    }
    append(messages, exchange.results);
    append(messages, run.attached);
    for (const text of run.said) messages.push(text.entry);
    append(notes, run.noted);
  }
  append(messages, notes);
  return messages;
}

interface Exchange {
  readonly reply: Entry | null;
  readonly results: readonly Entry[];
}

/** The reply and its results as they are sent. The results stand in the order of the file, not of the calls. */
function exchangeOf(run: Run, sentCalls: Set<string>, isRunning: boolean): Exchange {
  if (run.reply === null) return { reply: null, results: [] };
  const { parts, results, repeated } = withoutRepeatedCalls(run, run.reply, sentCalls);
  const settled = isRunning ? parts : settledParts(parts, run.results);
  const reply =
    repeated > 0 && !settled.some(saysSomething) ? saidToBeInterrupted(run.reply) : withParts(run.reply, settled);
  // What was thought may be all that there is so far; a reply whose content is damaged has nothing at all.
  const isBegun = isRunning && reply.parts.some((part) => part.type === 'reasoning');
  const isSent = isBegun || reply.parts.some(saysSomething);
  const leavesNothing = repeated > 0 && results.length + run.attached.length + run.said.length === 0;
  return { reply: isSent ? reply : null, results: leavesNothing && !isRunning ? [nothingLeft(run.reply)] : results };
}

interface SentCalls {
  readonly parts: readonly Part[];
  readonly results: readonly Entry[];
  readonly repeated: number;
}

/**
 * Ids of calls are sent once. Version 2.1.330, made to resume a file that repeats one, left out the later call and its
 * result, and put a text of its own in place of a message that then had nothing in it.
 */
function withoutRepeatedCalls(run: Run, reply: Entry, sentCalls: Set<string>): SentCalls {
  const results: Entry[] = [];
  const ofThisReply = new Set<string>();
  let repeated = 0;
  const parts = reply.parts.filter((part) => {
    if (part.type !== 'tool_call') return true;
    const isFirst = !ofThisReply.has(part.callId);
    ofThisReply.add(part.callId);
    if (sentCalls.has(part.callId) || !isFirst) {
      repeated += 1;
      return false;
    }
    const result = run.results.get(part.callId);
    if (result !== undefined) {
      sentCalls.add(part.callId);
      results.push(result);
    }
    return true;
  });
  results.sort((one, other) => one.origin.line - other.origin.line);
  return { parts, results, repeated };
}

/** A reply that work went on after: calls that never got a result are not sent. */
function settledParts(parts: readonly Part[], results: ReadonlyMap<string, Entry>): Part[] {
  return parts.filter((part) => part.type !== 'tool_call' || results.has(part.callId));
}

function withParts(reply: Entry, parts: readonly Part[]): Entry {
  return parts.length === reply.parts.length ? reply : { ...reply, parts };
}

function saidToBeInterrupted(reply: Entry): Entry {
  return { ...reply, parts: [{ type: 'text', text: '[Tool use interrupted]' }] };
}

/** It stands in no record, so its origin is that of the reply. */
function nothingLeft(reply: Entry): Entry {
  return {
    id: `${reply.id}:no-content`,
    role: 'user',
    parts: [{ type: 'text', text: '(no content)' }],
    timestamp: null,
    origin: reply.origin,
    injected: true,
  };
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
  if (run.isUnfinished && run.said.length === 0) return true;
  return run.results.size > 0 || (run.reply !== null && toolCalls(run.reply.parts).length > 0);
}
