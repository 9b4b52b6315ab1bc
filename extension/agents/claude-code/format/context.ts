import type { Entry, Part } from '../../../engine/conversation/entry';
import { toolCalls } from '../../../engine/conversation/entry';
import { append } from '../../../platform/json/append';
import type { Author } from './person';
import type { Reply, ResultNode } from './reply';
import { type Boundary, type Preserved, pathTo, type RowNode } from './rows';

/*
 * Claude Code builds its request from the rows between the root and the newest row. These rules were observed in the
 * request log that version 2.1.330 writes into its session files (it contains a hash per message), and by having that
 * version resume files made for the purpose.
 */

/** The messages of a request, without the system prompt. */
interface RequestContext {
  readonly entries: readonly Entry[];
  readonly awaitsReply: boolean;
}

export function contextAt(leaf: RowNode | null): RequestContext {
  const path = sinceLastBoundary(pathTo(leaf));
  const runs = runsOf(withPreserved(path));
  return { entries: cleared(messagesOf(runs), path), awaitsReply: awaitsReply(runs.at(-1)) };
}

/**
 * The path since the newest boundary. A boundary should have no parent; if it has one, the path is cut there anyway.
 */
function sinceLastBoundary(path: readonly RowNode[]): readonly RowNode[] {
  const boundary = path.findLast((row) => boundaryIn(row) !== null);
  return boundary === undefined ? path : path.slice(path.indexOf(boundary));
}

function boundaryIn(row: RowNode | undefined): Boundary | null {
  const compaction = row?.content.kind === 'compaction' ? row.content.compaction : null;
  return compaction?.kind === 'summary' ? compaction : null;
}

/** A row in the order in which rows are sent. */
interface SentRow {
  readonly row: RowNode;
  /** The preserved rows of a part before the boundary; null if everything that belongs to this row is sent. */
  readonly only: ReadonlySet<string> | null;
}

/** Preserved rows follow the row that the boundary names; if it names none, they follow the summary. */
function withPreserved(path: readonly RowNode[]): SentRow[] {
  const sent = path.map((row): SentRow => ({ row, only: null }));
  const boundary = boundaryIn(path[0]);
  if (boundary === null) return sent;
  const { preserved } = boundary;
  const anchor = path.findIndex((row) => row.uuid === preserved.anchor);
  const place = anchor < 0 ? 2 : anchor + 1;
  return [...sent.slice(0, place), ...preservedRows(preserved), ...sent.slice(place)];
}

function preservedRows(preserved: Preserved): SentRow[] {
  const only = preserved.exact ? new Set(preserved.rows.map((row) => row.uuid)) : null;
  return preserved.rows.map((row) => ({ row, only }));
}

/**
 * A reply and the rows up to the next reply, in sending order: results of its calls, attachments, texts, notes.
 * Attachments come after their text in the file and are moved up to the reply; notes of the system role are moved down
 * to the next reply.
 */
interface Run {
  /**
   * Null before the first reply, and for a reply that is not sent: attachments do not move past such a reply either.
   */
  readonly reply: Entry | null;
  /** The reply is not complete yet. */
  readonly isUnfinished: boolean;
  /** By call id. */
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

/** Finds the call of a result: the newest call with its id before it. */
class RunningCalls {
  readonly #newest = new Map<string, Run>();
  readonly #whole: { readonly run: Run; readonly reply: Reply }[] = [];

  /** @param whole The reply, if everything that belongs to it is sent. */
  begin(run: Run, whole: Reply | null): void {
    if (run.reply === null) return;
    for (const call of toolCalls(run.reply.parts)) this.#newest.set(call.callId, run);
    if (whole !== null) this.#whole.push({ run, reply: whole });
  }

  /** Only the first result of a call counts; a result without a call is not sent. */
  answer({ callId, entry }: ResultNode): void {
    const run = this.#newest.get(callId);
    if (run !== undefined && !run.results.has(callId)) run.results.set(callId, entry);
  }

  /** Results of parallel calls are branches of the tree. The path contains only one of them; all are sent. */
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

/** The reply and its results as they are sent. Results are in file order, not in the order of the calls. */
function exchangeOf(run: Run, sentCalls: Set<string>, isRunning: boolean): Exchange {
  if (run.reply === null) return { reply: null, results: [] };
  const { parts, results, repeated } = withoutRepeatedCalls(run, run.reply, sentCalls);
  const settled = isRunning ? parts : settledParts(parts, run.results);
  const reply =
    repeated > 0 && !settled.some(saysSomething) ? interruptedReply(run.reply) : withParts(run.reply, settled);
  // A running reply may consist of reasoning only; a reply with damaged content has no parts at all.
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
 * Each call id is sent once. Version 2.1.330 was observed, when it resumed a file with a repeated id, to leave out the
 * later call and its result, and to send a placeholder text for a message that was empty without them.
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

/** The parts of a reply after which work continued: calls without a result are not sent. */
function settledParts(parts: readonly Part[], results: ReadonlyMap<string, Entry>): Part[] {
  return parts.filter((part) => part.type !== 'tool_call' || results.has(part.callId));
}

function withParts(reply: Entry, parts: readonly Part[]): Entry {
  return parts.length === reply.parts.length ? reply : { ...reply, parts };
}

function interruptedReply(reply: Entry): Entry {
  return { ...reply, parts: [{ type: 'text', text: '[Tool use interrupted]' }] };
}

/** Placeholder for an empty reply. No record contains it, so it has the origin of the reply. */
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

/** Claude Code sends this in place of a tool result that was cleared. */
const clearedResultText = '[Old tool result content cleared]';

/**
 * Replaces the text of results that a clearing named. Clearing happens in the running program only: version 2.1.330,
 * which no longer writes such rows, sends the results in full when it resumes a file that has them.
 */
function cleared(messages: Entry[], path: readonly RowNode[]): Entry[] {
  const callIds = new Set(
    path.flatMap(({ content }) =>
      content.kind === 'compaction' && content.compaction.kind === 'cleared' ? [...content.compaction.callIds] : [],
    ),
  );
  if (callIds.size === 0) return messages;
  return messages.map((entry) => {
    const result = entry.parts.find((part) => part.type === 'tool_result');
    if (result === undefined || !callIds.has(result.callId)) return entry;
    return { ...entry, parts: [{ ...result, text: clearedResultText }] };
  });
}

/** Whether the agent still has to answer the newest message. Commands, reminders and summaries need no answer. */
function awaitsReply(run: Run | undefined): boolean {
  if (run === undefined) return false;
  const last = run.said.findLast(({ author }) => author !== 'agent');
  if (last !== undefined) return last.author !== 'interruption';
  if (run.isUnfinished && run.said.length === 0) return true;
  return run.results.size > 0 || (run.reply !== null && toolCalls(run.reply.parts).length > 0);
}
