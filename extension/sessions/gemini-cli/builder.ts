import type { AgentCompaction } from '../../engine/conversation/conversation';
import { type Entry, textOf } from '../../engine/conversation/entry';
import type { SessionBuilder } from '../adapter';
import { KnownEntries } from '../gemini-content/known-entries';
import { IssueList } from '../records/issues';
import { asName, asRecord, asRecords, type JsonRecord } from '../records/json';
import { lastWhere } from '../records/last';
import { type Line, readLine } from '../records/line';
import { Tally } from '../records/tally';
import { titleOf } from '../records/title';
import { tooDeepIssues } from '../records/tool-input';
import type { ParsedSession } from '../session';
import { compactionOf, isSummary } from './compaction';
import { awaitsReply, contextOf } from './context';
import { GeminiEntries, type MessagePlace, type Source } from './entries';
import { MessageList, type Slot } from './message-list';
import { SpawnedAgents, unknownParent } from './subagents';
import { WholeFile } from './whole-file';

const ownRecord: Source = { kind: 'record' };

/**
 * Builds a Gemini CLI session from its log. A message replaces an earlier one with the same id; a list replaces all
 * messages. The cost of a record is linear in its own size.
 */
export class GeminiCliBuilder implements SessionBuilder {
  readonly #issues: IssueList;
  readonly #otherRecords = new Tally();
  readonly #entries = new GeminiEntries(() => this.#kind === 'subagent' && this.#firstText !== null);
  readonly #messages = new MessageList();
  readonly #compactions: AgentCompaction[] = [];
  readonly #spawned = new SpawnedAgents();
  readonly #whole = new WholeFile();
  #wholeWasRead = false;
  #lastLine = 0;

  #sessionId: string | null = null;
  #kind: string | null = null;
  #summary: string | null = null;
  #firstText: string | null = null;
  #model: string | null = null;

  constructor(private readonly file: string) {
    this.#issues = new IssueList(file);
  }

  accept(line: Line): void {
    this.#lastLine = line.number;
    if (this.#whole.takes(line)) {
      const object = this.#whole.read(line);
      if (object !== null) this.#acceptWhole(object);
      return;
    }
    const reading = readLine(line);
    if (reading.kind === 'blank') return;
    if (reading.kind === 'record') this.#acceptRecord(reading.record, line.number);
    else this.#issues.add(line.number, reading.message);
  }

  isEnd(line: Line): boolean {
    return this.#whole.isEnd(line);
  }

  session(): ParsedSession {
    const conversation = {
      entries: this.#entries.list(),
      agentContext: contextOf(this.#messages.slots),
      agentCompactions: this.#compactions.slice(),
    };
    this.#spawned.attachTo(conversation);
    return {
      agent: 'gemini-cli',
      id: this.#sessionId ?? '',
      file: this.file,
      cwd: null,
      title: this.#summary ?? this.#firstText,
      model: this.#model,
      ...(this.#kind === 'subagent' ? { parent: unknownParent } : {}),
      issues: this.#issues.list(this.#cutOff()),
      otherRecords: this.#otherRecords.counts(),
      conversation,
      awaitsReply: awaitsReply(this.#messages.slots),
    };
  }

  #cutOff(): { line: number; message: string }[] {
    if (!this.#whole.isWhole || this.#wholeWasRead) return [];
    return [{ line: this.#lastLine, message: 'This file is one object and ends before it does; nothing is shown' }];
  }

  #acceptWhole(object: JsonRecord): void {
    this.#wholeWasRead = true;
    this.#acceptHeader({ ...object, messages: [] }, 1);
    for (const [index, message] of asRecords(object.messages).entries()) {
      this.#acceptMessage(message, this.#whole.lineOf(index));
    }
  }

  /** Checks the record kinds in the same order as Gemini CLI. */
  #acceptRecord(record: JsonRecord, line: number): void {
    if (typeof record.$rewindTo === 'string') this.#messages.rewindTo(record.$rewindTo);
    else if (typeof record.id === 'string') this.#acceptMessage(record, line);
    else if (asRecord(record.$set) !== null) this.#acceptUpdate(asRecord(record.$set) ?? {}, line);
    else if (asName(record.sessionId) !== null && asName(record.projectHash) !== null) this.#acceptHeader(record, line);
    else this.#otherRecords.add(asName(record.type) ?? 'no type');
  }

  #acceptHeader(record: JsonRecord, line: number): void {
    this.#otherRecords.add('header');
    this.#noteMetadata(record);
    for (const message of asRecords(record.messages)) this.#acceptMessage(message, line);
  }

  #acceptUpdate(update: JsonRecord, line: number): void {
    this.#noteMetadata(update);
    if (Array.isArray(update.messages)) this.#acceptList(asRecords(update.messages), line);
    else this.#otherRecords.add('$set');
  }

  #noteMetadata(fields: JsonRecord): void {
    this.#sessionId = asName(fields.sessionId) ?? this.#sessionId;
    this.#kind = asName(fields.kind) ?? this.#kind;
    this.#summary = titleOf(asName(fields.summary) ?? '') ?? this.#summary;
  }

  #acceptMessage(message: JsonRecord, line: number): void {
    const slot = this.#slotOf(message, line, ownRecord);
    if (slot !== null) this.#messages.put(slot);
  }

  #acceptList(messages: readonly JsonRecord[], line: number): void {
    const before = contextOf(this.#messages.slots);
    const known = this.#entries.count;
    const slots = this.#slotsOfList(messages, before, line);
    // An entry from before the list is never the summary: a person may have quoted the tag in a prompt.
    const summary = lastWhere(
      slots.flatMap((slot) => slot.entries),
      (entry) => isSummary(entry) && !this.#entries.isAmongFirst(known, entry.id),
    );
    this.#messages.replaceAll(slots);
    const recorded = before.filter((entry) => this.#entries.recorded(entry.id) !== undefined);
    const place = { id: '', timestamp: summary?.timestamp ?? null, origin: { file: this.file, line } };
    const compaction = compactionOf(recorded, contextOf(slots), summary ?? null, place);
    if (compaction === null) return;
    this.#compactions.push(compaction);
    if (summary !== undefined) this.#messages.replaceAll(this.#withSummary(slots, summary));
  }

  #slotsOfList(messages: readonly JsonRecord[], before: readonly Entry[], line: number): Slot[] {
    let known: KnownEntries | null = null;
    const { count } = this.#entries;
    const source: Source = { kind: 'list', known: () => (known ??= new KnownEntries(before)), count };
    return messages.flatMap((message) => this.#slotOf(message, line, source) ?? []);
  }

  #withSummary(slots: readonly Slot[], summary: Entry): Slot[] {
    const marked = this.#entries.markSummary(summary);
    return slots.map((slot) =>
      slot.entries.includes(summary)
        ? { ...slot, entries: slot.entries.map((entry) => (entry === summary ? marked : entry)) }
        : slot,
    );
  }

  #slotOf(message: JsonRecord, line: number, source: Source): Slot | null {
    const id = asName(message.id);
    if (id === null) return null;
    const read = this.#entries.read(message);
    if (read.kind === 'note') {
      this.#otherRecords.add(read.type);
      return null;
    }
    const place: MessagePlace = { id, timestamp: asName(message.timestamp), origin: { file: this.file, line } };
    const entries = this.#entries.of(read, place, source);
    if (read.kind === 'reply') this.#noteReply(message, entries, line);
    this.#noteFirstText(entries);
    return { id, entries };
  }

  #noteReply(message: JsonRecord, entries: readonly Entry[], line: number): void {
    this.#model = asName(message.model) ?? this.#model;
    this.#spawned.note(message);
    const parts = entries.flatMap((entry) => entry.parts);
    for (const issue of tooDeepIssues(parts, line)) this.#issues.add(issue.line, issue.message);
  }

  #noteFirstText(entries: readonly Entry[]): void {
    const prompt = entries.find((entry) => entry.role === 'user' && !entry.injected);
    if (prompt !== undefined) this.#firstText ??= titleOf(textOf(prompt.parts));
  }
}
