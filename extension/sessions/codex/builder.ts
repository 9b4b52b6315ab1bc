import type { AgentCompaction, Conversation } from '../../engine/conversation/conversation';
import { type Entry, type Origin, textOf, toolCalls } from '../../engine/conversation/entry';
import type { SessionBuilder } from '../adapter';
import { IssueList } from '../records/issues';
import { asCount, asName, asRecord, asRecords, type JsonRecord } from '../records/json';
import { type Line, readLine } from '../records/line';
import { Tally } from '../records/tally';
import { tooDeepIssues } from '../records/tool-input';
import type { ParsedSession } from '../session';
import { beginningsOf, reasonWithout } from './beginning';
import { sendable } from './context';
import { EntryBook, type Place } from './entry-book';
import { History } from './history';
import { isGuessed, typedText } from './injected';
import type { CodexItem } from './items';
import { kindOf } from './records';
import type { Rollouts } from './rollouts';
import { SessionFacts } from './session-facts';
import type { Slot } from './slot';
import { tokensLeft, UsageLog } from './usage-log';

export interface BuilderOptions {
  /** Keep the records that the context is made of, to write them again: see `context`. */
  readonly keepsItems?: boolean;
}

/** Builds a session of Codex: its conversation is the response items, all else repeats or describes it. */
export class CodexBuilder implements SessionBuilder {
  readonly #issues: IssueList;
  readonly #otherRecords = new Tally();
  readonly #facts = new SessionFacts();
  readonly #book: EntryBook;

  readonly #history = new History();
  readonly #compactions: AgentCompaction[] = [];
  readonly #usage = new UsageLog();
  /** Comes first in every request, and in no item. */
  #prompt: Slot | null = null;

  /** The newest message, where only its first words tell that no person wrote it. */
  #guessed: Slot | null = null;

  /** The newest reply. */
  #reply: Slot | null = null;
  /** Whether more items of it may come. */
  #isReplying = false;
  /** Whether the newest reply asked for a tool. */
  #asksForTools = false;
  #awaitsReply = false;

  constructor(
    private readonly file: string,
    private readonly rollouts: Rollouts,
    options: BuilderOptions = {},
  ) {
    this.#issues = new IssueList(file);
    this.#book = new EntryBook(options.keepsItems === true);
  }

  accept(line: Line): void {
    this.#accept(line, this.file);
  }

  session(): ParsedSession {
    const agentContext = sendable(this.context().map((slot) => slot.entry));
    const conversation: Conversation = {
      entries: this.#book.entries(),
      agentContext,
      agentCompactions: this.#compactions.slice(),
      ...(this.#facts.lacksBeginning ? { beginsMidway: true } : {}),
    };
    return {
      agent: 'codex',
      file: this.file,
      ...this.#facts.session(),
      issues: this.#issues.list(),
      otherRecords: this.#otherRecords.counts(),
      conversation,
      awaitsReply: this.#awaitsReply,
    };
  }

  /** What Codex has in its context, before it makes it fit for its provider. */
  context(): Slot[] {
    const slots = this.#history.slots();
    return this.#prompt === null ? slots : [this.#prompt, ...slots];
  }

  #accept(line: Line, file: string): void {
    const reading = readLine(line);
    if (reading.kind === 'blank') return;
    if (reading.kind !== 'record') {
      if (file === this.file) this.#issues.add(line.number, reading.message);
      return;
    }
    const { record } = reading;
    const place = { origin: { file, line: line.number }, timestamp: asName(record.timestamp) };
    this.#acceptRecord(record, asRecord(record.payload) ?? {}, place);
  }

  #acceptRecord(record: JsonRecord, payload: JsonRecord, place: Place): void {
    switch (record.type) {
      case 'response_item':
        this.#acceptItem(payload, place);
        return;
      case 'compacted':
        this.#acceptCompaction(payload, place);
        return;
      case 'session_meta':
        this.#acceptSession(payload, place);
        break;
      case 'turn_context':
        this.#facts.noteTurn(payload);
        break;
      case 'token_usage_record':
        this.#acceptUsage(payload);
        break;
      case 'event_msg':
        this.#acceptEvent(payload);
    }
    this.#otherRecords.add(kindOf(record));
  }

  /** The first record tells of this session; further ones are of the sessions that it was forked from. */
  #acceptSession(payload: JsonRecord, place: Place): void {
    if (this.#facts.noteSession(payload, this.rollouts) === 'another') return;
    this.#acceptPrompt(payload, place);
    if (place.origin.file === this.file) this.#readBeginning(payload, place.origin.line);
  }

  #acceptPrompt(payload: JsonRecord, place: Place): void {
    const text = asName(asRecord(payload.base_instructions)?.text);
    if (text === null) return;
    const id = this.#book.claim('base-instructions');
    this.#prompt = this.#book.keep({ ...place, id, role: 'system', parts: [{ type: 'text', text }] }, []);
  }

  /** Since 0.16x a fork refers to its original for what came before it, and a segment to the one before it. */
  #readBeginning(payload: JsonRecord, line: number): void {
    const found = beginningsOf(payload, this.rollouts);
    if (found.kind !== 'found') {
      this.#facts.lacksBeginning = true;
      this.#issues.add(line, `What came before is ${reasonWithout(found)}`);
      return;
    }
    for (const { file, lines } of found.beginnings) for (const earlier of lines) this.#accept(earlier, file);
  }

  #acceptItem(item: JsonRecord, place: Place): void {
    const reading = this.#book.read(item, null);
    if (reading === null) {
      this.#otherRecords.add(`response_item/${asName(item.type) ?? 'no type'}`);
      return;
    }
    this.#noteDepth(reading, place.origin);
    if (reading.kind === 'reply') this.#acceptReply(item, reading, place);
    else this.#acceptMessage(item, reading, place);
  }

  #acceptReply(item: JsonRecord, reading: CodexItem, place: Place): void {
    this.#guessed = null;
    if (this.#reply !== null && this.#isReplying) this.#book.extend(this.#reply, item, reading);
    else {
      this.#reply = this.#book.open(item, reading, place, this.#facts.model);
      this.#isReplying = true;
      this.#asksForTools = false;
      this.#history.add(this.#reply);
    }
    this.#noteParts(reading.parts);
  }

  /** A reply that only thought so far goes on. */
  #noteParts(parts: Entry['parts']): void {
    this.#asksForTools ||= toolCalls(parts).length > 0;
    if (parts.some((part) => part.type !== 'reasoning')) this.#awaitsReply = this.#asksForTools;
  }

  #acceptMessage(item: JsonRecord, reading: CodexItem, place: Place): void {
    this.#isReplying = false;
    const slot = this.#book.open(item, reading, place, this.#facts.model);
    this.#guessed = reading.kind === 'message' && reading.injected && isGuessed(item) ? slot : null;
    if (reading.kind === 'result') this.#awaitsReply = true;
    if (isPersons(reading)) this.#acceptPersonsPrompt(slot);
    else this.#history.add(slot);
  }

  #acceptPersonsPrompt(slot: Slot): void {
    this.#awaitsReply = true;
    this.#facts.notePrompt(textOf(slot.entry.parts));
    this.#history.prompt(slot);
  }

  /** Older versions repeat what a person typed: it was no text of Codex's own, whatever it begins with. */
  #acceptTyped(text: string | null): void {
    const slot = this.#guessed;
    if (slot === null || text === null || textOf(slot.entry.parts).trim() !== text.trim()) return;
    this.#guessed = null;
    slot.setTyped();
    this.#awaitsReply = true;
    this.#facts.notePrompt(text);
    this.#history.newestIsPrompt();
  }

  #acceptCompaction(payload: JsonRecord, place: Place): void {
    this.#isReplying = false;
    this.#guessed = null;
    const before = this.#history.slots();
    const after = this.#afterCompaction(payload, before, place);
    this.#history.replace(after);
    this.#noteCompaction(payload, place, before, after);
  }

  /** Older versions wrote down the summary only, and went on with it and what the person had said. */
  #afterCompaction(payload: JsonRecord, before: readonly Slot[], place: Place): readonly Slot[] {
    const { model } = this.#facts;
    const summary = asName(payload.message);
    if (Array.isArray(payload.replacement_history)) {
      return this.#book.replacement(asRecords(payload.replacement_history), summary, place, model).slots;
    }
    const prompts = before.filter(({ entry }) => entry.role === 'user' && !entry.injected);
    if (summary === null) return prompts;
    const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text: summary }] };
    return [...prompts, ...this.#book.replacement([item], summary, place, model).slots];
  }

  #noteCompaction(payload: JsonRecord, place: Place, before: readonly Slot[], after: readonly Slot[]): void {
    const kept = new Set(after.map((slot) => slot.entry.id));
    const summary = after.filter((slot) => slot.entry.summary).at(-1);
    const isOpaque = asRecords(payload.replacement_history).some((item) => {
      const reading = this.#book.read(item, null);
      return reading?.kind === 'summary' && reading.isOpaque;
    });
    this.#compactions.push({
      ...place,
      id: this.#book.claim(`compaction-${place.origin.line}`),
      kind: 'summary',
      summaryEntryId: summary?.entry.id ?? null,
      ...(isOpaque ? { isOpaque: true } : {}),
      replacedEntryIds: before.map((slot) => slot.entry.id).filter((id) => !kept.has(id)),
      tokensBefore: this.#usage.tokensBefore(payload),
      tokensAfter: null,
      trigger: null,
    });
  }

  #acceptEvent(event: JsonRecord): void {
    this.#facts.noteEvent(event);
    switch (event.type) {
      case 'task_started':
        this.#history.beginTurn();
        return;
      case 'task_complete':
      case 'turn_aborted':
        this.#awaitsReply = false;
        this.#isReplying = false;
        return;
      case 'thread_rolled_back':
        this.#awaitsReply = false;
        this.#isReplying = false;
        this.#guessed = null;
        this.#history.rollBack(asCount(event.num_turns) ?? 0);
        return;
      case 'user_message':
        this.#acceptTyped(typedText(event));
        return;
      case 'token_count':
        this.#acceptTokenCount(asRecord(event.info) ?? {});
    }
  }

  /** One that no reply stands before was the request for a summary. */
  #acceptUsage(payload: JsonRecord): void {
    const usage = this.#usage.ofRecord(payload);
    if (this.#isReplying && usage !== null) this.#reply?.setUsage(usage);
    this.#isReplying = false;
  }

  #acceptTokenCount(info: JsonRecord): void {
    const usage = this.#usage.ofTokenCount(info);
    if (usage !== null && this.#reply?.hasUsage === false) this.#reply.setUsage(usage);
    const left = tokensLeft(info);
    const newest = left === null ? undefined : this.#compactions.pop();
    if (newest !== undefined) this.#compactions.push({ ...newest, tokensAfter: newest.tokensAfter ?? left });
  }

  #noteDepth(reading: CodexItem, { line, file }: Origin): void {
    if (file !== this.file) return;
    for (const issue of tooDeepIssues(reading.parts, line)) this.#issues.add(line, issue.message);
  }
}

function isPersons(reading: CodexItem): boolean {
  return reading.kind === 'message' && reading.role === 'user' && !reading.injected;
}
