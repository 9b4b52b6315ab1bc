import type { AgentCompaction } from '../../../engine/conversation/conversation';
import { type Entry, textOf, toolCalls } from '../../../engine/conversation/entry';
import { localizable } from '../../../engine/wording/localizable-text';
import { jsonItems } from '../../../platform/json/json-items';
import * as s from '../../../platform/json/schemas';
import { KnownEntries, withParts } from '../../../sessions/gemini-content/known-entries';
import type { IssueAtLine } from '../../../sessions/records/issues';
import type { SessionContent } from '../../../sessions/records/line-session';
import { titleOf } from '../../../sessions/records/title';
import { WholeFileSession } from '../../../sessions/records/whole-file-session';
import { awaitsReply, contextOf } from './context';
import { GeminiEntries, type MessagePlace, type Source } from './entries';
import { type ListedMessage, MessageList } from './message-list';
import { type MessageFields, messageFields } from './messages';
import { SpawnedAgents, unknownParent } from './subagents';

const ownRecord: Source = { kind: 'record' };

const metadata = { sessionId: s.name, kind: s.name, summary: s.text };

const logRecord = s.record({
  ...metadata,
  type: s.name,
  projectHash: s.name,
  messages: s.list,
  $set: s.optionalRecord({ ...metadata, messages: s.anything }),
});

type LogRecord = s.Read<typeof logRecord>;

/**
 * Builds a Gemini CLI session from its log. A message replaces an earlier one with the same id; a list replaces all
 * messages. The cost of a record is linear in its own size.
 */
export class GeminiCliBuilder extends WholeFileSession {
  readonly #entries = new GeminiEntries(this.ids, () => this.#kind === 'subagent' && this.hasPrompt);
  readonly #messages = new MessageList();
  readonly #compactions: AgentCompaction[] = [];
  readonly #spawned = new SpawnedAgents();
  /** Versions before the log wrote a session as one pretty-printed object. */
  #wholeWasRead = false;
  #kind: string | null = null;

  constructor(file: string) {
    // Each part of a message has one author: see `splitUserParts`.
    super('gemini-cli', file, { authors: 'apart' });
  }

  protected content(): SessionContent {
    const issues = this.#wholeWasRead ? [] : this.#readWhole();
    const conversation = {
      entries: this.#entries.list(),
      agentContext: contextOf(this.#messages.slots),
      agentCompactions: this.#compactions.slice(),
    };
    this.#spawned.attachTo(conversation);
    return {
      conversation,
      awaitsReply: awaitsReply(this.#messages.slots),
      ...(this.#kind === 'subagent' ? { parent: unknownParent } : {}),
      issues,
    };
  }

  protected override get lacksBeginning(): boolean {
    return this.sessionId === null && this.whole.read().kind === 'none';
  }

  #readWhole(): IssueAtLine[] {
    const whole = this.whole.read();
    if (whole.kind === 'broken') return [{ line: whole.line, message: incompleteMessage }];
    if (whole.kind === 'none') return [];
    this.#wholeWasRead = true;
    this.#acceptHeader(s.read(logRecord, { ...whole.object, messages: [] }), whole.firstLine);
    for (const { line, value } of jsonItems(whole.text, 'messages', whole.object)) {
      this.#acceptMessage(value, whole.firstLine + line - 1);
    }
    return [];
  }

  /** Checks the record kinds in the same order as Gemini CLI. */
  protected acceptRecord(record: s.JsonRecord, line: number): void {
    const rewindTo = s.read(s.textOrNull, record.$rewindTo);
    if (rewindTo !== null) this.#messages.rewindTo(rewindTo);
    else if (s.read(s.textOrNull, record.id) !== null) this.#acceptMessage(record, line);
    else this.#acceptMetadata(s.read(logRecord, record), line);
  }

  #acceptMetadata(fields: LogRecord, line: number): void {
    if (fields.$set !== null) this.#acceptUpdate(fields.$set, line);
    else if (fields.sessionId !== null && fields.projectHash !== null) this.#acceptHeader(fields, line);
    else this.otherRecords.add(fields.type ?? 'no type');
  }

  #acceptHeader(header: LogRecord, line: number): void {
    this.otherRecords.add('header');
    this.#noteMetadata(header);
    for (const message of header.messages) this.#acceptMessage(message, line);
  }

  #acceptUpdate(update: NonNullable<LogRecord['$set']>, line: number): void {
    this.#noteMetadata(update);
    if (Array.isArray(update.messages)) this.#acceptList(update.messages, line);
    else this.otherRecords.add('$set');
  }

  #noteMetadata({ sessionId, kind, summary }: Pick<LogRecord, keyof typeof metadata>): void {
    this.sessionId = sessionId ?? this.sessionId;
    this.#kind = kind ?? this.#kind;
    this.givenTitle = titleOf(summary) ?? this.givenTitle;
  }

  #acceptMessage(message: unknown, line: number): void {
    const slot = this.#slotOf(message, line, ownRecord);
    if (slot !== null) this.#messages.put(slot);
  }

  #acceptList(messages: readonly unknown[], line: number): void {
    const before = contextOf(this.#messages.slots);
    const known = this.#entries.count;
    const slots = this.#slotsOfList(messages, before, line);
    // An entry from before the list is never the summary: a person may have quoted the tag in a prompt.
    const summary = slots
      .flatMap((slot) => slot.entries)
      .findLast((entry) => isSummary(entry) && !this.#entries.isAmongFirst(known, entry.id));
    this.#messages.replaceAll(slots);
    const recorded = before.filter((entry) => this.#entries.recorded(entry.id) !== undefined);
    const place = { id: '', timestamp: summary?.timestamp ?? null, origin: { file: this.file, line } };
    const compaction = compactionOf(recorded, contextOf(slots), summary ?? null, place);
    if (compaction === null) return;
    this.#compactions.push(compaction);
    if (summary !== undefined) this.#messages.replaceAll(this.#withSummary(slots, summary));
  }

  #slotsOfList(messages: readonly unknown[], before: readonly Entry[], line: number): ListedMessage[] {
    let known: KnownEntries | null = null;
    const { count } = this.#entries;
    const source: Source = { kind: 'list', known: () => (known ??= new KnownEntries(before)), count };
    return messages.flatMap((message) => this.#slotOf(message, line, source) ?? []);
  }

  #withSummary(slots: readonly ListedMessage[], summary: Entry): ListedMessage[] {
    const marked = this.#entries.markSummary(summary);
    return slots.map((slot) =>
      slot.entries.includes(summary)
        ? { ...slot, entries: slot.entries.map((entry) => (entry === summary ? marked : entry)) }
        : slot,
    );
  }

  #slotOf(record: unknown, line: number, source: Source): ListedMessage | null {
    const message = messageFields(record);
    const { id, timestamp } = message;
    if (id === null) return null;
    const read = this.#entries.read(message);
    if (read.kind === 'note') {
      this.otherRecords.add(read.type);
      return null;
    }
    const place: MessagePlace = { id, timestamp, origin: { file: this.file, line } };
    const entries = this.#entries.of(read, place, source);
    if (read.kind === 'reply') this.#noteReply(message, entries, line);
    const prompt = entries.find((entry) => entry.role === 'user' && !entry.injected);
    if (prompt !== undefined) this.notePrompt(textOf(prompt.parts));
    return { id, entries };
  }

  #noteReply(message: MessageFields, entries: readonly Entry[], line: number): void {
    this.model = message.model ?? this.model;
    this.#spawned.note(message);
    const parts = entries.flatMap((entry) => entry.parts);
    this.noteCalls(parts);
    this.noteTooDeep(parts, line);
  }
}

const incompleteMessage = localizable('This file is one JSON object and is incomplete; nothing is shown');

/** Gemini CLI does not record compactions. Only a list of messages with a new summary shows one. */
function isSummary(entry: Entry): boolean {
  return entry.role === 'user' && /^\s*<state_snapshot>[\s\S]*<\/state_snapshot>/.test(textOf(entry.parts));
}

/**
 * The compaction that a new list of messages made; null if it removed or cleared nothing.
 * @param before recorded entries of the context before the list.
 * @param summary the list's new summary candidate.
 */
function compactionOf(
  before: readonly Entry[],
  after: readonly Entry[],
  summary: Entry | null,
  place: MessagePlace,
): AgentCompaction | null {
  const now = new Map(after.map((entry) => [entry.id, entry]));
  const calls = new Set(after.flatMap((entry) => toolCalls(entry.parts).map((call) => call.callId)));
  const replaced = before.filter((entry) => {
    const kept = now.get(entry.id);
    if (kept === undefined) return summary !== null && !isPendingResult(entry, calls);
    return entry.role === 'tool' && withParts(entry, kept.parts) !== entry;
  });
  if (replaced.length === 0) return null;
  return {
    id: `compaction-${place.origin.line}`,
    kind: summary === null ? 'cleared' : 'summary',
    timestamp: place.timestamp,
    summaryEntryId: summary?.id ?? null,
    replacedEntryIds: replaced.map((entry) => entry.id),
    tokensBefore: null,
    tokensAfter: null,
    trigger: null,
    origin: place.origin,
  };
}

/** A list written while a tool runs contains only the call; the result follows as a message of its own. */
function isPendingResult({ parts: [first] }: Entry, calls: ReadonlySet<string>): boolean {
  return first?.type === 'tool_result' && calls.has(first.callId);
}
