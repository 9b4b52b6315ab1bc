import type { AgentCompaction } from '../../../engine/conversation/conversation';
import { type Entry, textOf, toolCalls } from '../../../engine/conversation/entry';
import * as s from '../../../platform/json/schemas';
import { type Line, readLine } from '../../../platform/lines/line';
import { LineSession, type SessionContent } from '../../../sessions/records/line-session';
import { titleOf } from '../../../sessions/records/title';
import type { ParentSession, Predecessor } from '../../../sessions/session';
import { beginningsOf, reasonWithout } from './beginning';
import { sendable } from './context';
import { EntryBook, type RecordPlace } from './entry-book';
import { History } from './history';
import { isGuessed, typedText } from './injected';
import type { CodexItem } from './items';
import { kindOf, parentThread, pictureTag } from './records';
import { rolloutName } from './rollout-names';
import type { Rollouts } from './rollouts';
import type { Slot } from './slot';
import { tokensLeft, UsageLog } from './usage-log';

interface BuilderOptions {
  /** Keeps the records of the context so that they can be written again: see `context`. */
  readonly keepsItems?: boolean;
}

const anyRecord = s.record({ timestamp: s.name, payload: s.jsonRecord });
const sessionRecord = s.record({
  id: s.text,
  cwd: s.name,
  base_instructions: s.record({ text: s.name }),
  git: s.record({ branch: s.name }),
  forked_from_id: s.name,
});
const turn = s.record({ model: s.name, cwd: s.name });
const compacted = s.record({ message: s.name, replacement_history: s.anything });
const anyEvent = s.record({
  model_context_window: s.count,
  info: s.record({ model_context_window: s.count }),
  thread_name: s.text,
  num_turns: s.countOrZero,
});

/** Builds a session of Codex. Its response items are the conversation; other records repeat or describe them. */
export class CodexBuilder extends LineSession {
  readonly #book: EntryBook;

  readonly #history = new History();
  readonly #compactions: AgentCompaction[] = [];
  readonly #usage = new UsageLog();
  /** The system prompt. Sent first in every request; not a response item. */
  #prompt: Slot | null = null;

  /** The newest message if only its first words suggest that no person wrote it. */
  #guessed: Slot | null = null;

  #reply: Slot | null = null;
  /** Whether further items of the newest reply may follow. */
  #isReplying = false;
  /** Whether the newest reply contains a tool call. */
  #asksForTools = false;
  #awaitsReply = false;

  #parent: ParentSession | null = null;
  #predecessor: Predecessor | null = null;
  /** The part of the session before a fork is in a file that was not found. */
  #lacksBeginning = false;

  constructor(
    file: string,
    private readonly rollouts: Rollouts,
    options: BuilderOptions = {},
  ) {
    super('codex', file, { authors: { namePerson: true }, beginsWithId: true });
    this.#book = new EntryBook(options.keepsItems === true);
  }

  protected acceptRecord(record: s.JsonRecord, line: number): void {
    this.#accept(record, line, this.file);
  }

  protected content(): SessionContent {
    return {
      conversation: {
        entries: this.#book.entries(),
        agentContext: sendable(this.context().map((slot) => slot.entry)),
        agentCompactions: this.#compactions.slice(),
        ...(this.#lacksBeginning ? { beginsMidway: true } : {}),
      },
      awaitsReply: this.#awaitsReply,
      ...(this.#parent === null ? {} : { parent: this.#parent }),
      ...(this.#predecessor === null ? {} : { predecessor: this.#predecessor }),
    };
  }

  protected override get idOfPlace(): string {
    return rolloutName(this.file)?.thread ?? super.idOfPlace;
  }

  /** Codex's context before `sendable` adapts it to the provider. */
  context(): Slot[] {
    const slots = this.#history.slots();
    return this.#prompt === null ? slots : [this.#prompt, ...slots];
  }

  /** Accepts a line of another file, whose issues are not reported for this session. */
  #acceptEarlier(line: Line, file: string): void {
    const reading = readLine(line);
    if (reading.kind === 'record') this.#accept(reading.record, line.number, file);
  }

  #accept(record: s.JsonRecord, line: number, file: string): void {
    const { payload, timestamp } = s.read(anyRecord, record);
    this.#acceptPayload(record, payload ?? {}, { origin: { file, line }, timestamp });
  }

  #acceptPayload(record: s.JsonRecord, payload: s.JsonRecord, place: RecordPlace): void {
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
        this.#acceptTurn(payload);
        break;
      case 'token_usage_record':
        this.#acceptUsage(payload);
        break;
      case 'event_msg':
        this.#acceptEvent(payload);
    }
    this.otherRecords.add(kindOf(record));
  }

  /**
   * The first record describes this session. Forks written by older versions also contain the record of their original.
   */
  #acceptSession(payload: s.JsonRecord, place: RecordPlace): void {
    if (this.sessionId !== null) return;
    const { id, cwd, base_instructions: prompt, git, forked_from_id: original } = s.read(sessionRecord, payload);
    if (original !== null && place.origin.file === this.file)
      this.#predecessor = { id: original, file: this.rollouts.findThread(original), title: null };
    this.sessionId = id;
    this.cwd = cwd;
    this.branch = git.branch ?? this.branch;
    const parentId = parentThread(payload);
    if (parentId !== null) this.#parent = { file: this.rollouts.findThread(parentId), callId: null };
    if (prompt.text !== null) this.#keepPrompt(prompt.text, place);
    if (place.origin.file === this.file) this.#readBeginning(payload, place.origin.line);
  }

  #acceptTurn(payload: s.JsonRecord): void {
    const { model, cwd } = s.read(turn, payload);
    this.model = model ?? this.model;
    this.cwd ??= cwd;
  }

  #keepPrompt(text: string, place: RecordPlace): void {
    const id = this.#book.claim('base-instructions');
    this.#prompt = this.#book.keep({ ...place, id, role: 'system', parts: [{ type: 'text', text }] }, []);
  }

  /** Since 0.16x, a fork refers to its original for its beginning, and a segment to the previous segment. */
  #readBeginning(payload: s.JsonRecord, line: number): void {
    const found = beginningsOf(payload, this.rollouts);
    if (found.kind !== 'found') {
      this.#lacksBeginning = true;
      this.issues.add(line, reasonWithout(found));
      return;
    }
    for (const { file, lines } of found.beginnings) for (const earlier of lines) this.#acceptEarlier(earlier, file);
  }

  #acceptItem(item: s.JsonRecord, place: RecordPlace): void {
    const reading = this.#book.read(item, null);
    if (reading === null) {
      this.otherRecords.add(`response_item/${s.read(s.name, item.type) ?? 'no type'}`);
      return;
    }
    if (place.origin.file === this.file) this.noteTooDeep(reading.parts, place.origin.line);
    if (reading.kind === 'reply') this.#acceptReply(item, reading, place);
    else this.#acceptMessage(item, reading, place);
  }

  #acceptReply(item: s.JsonRecord, reading: CodexItem, place: RecordPlace): void {
    this.#guessed = null;
    if (this.#reply !== null && this.#isReplying) this.#book.extend(this.#reply, item, reading);
    else {
      this.#reply = this.#book.open(item, reading, place, this.model);
      this.#isReplying = true;
      this.#asksForTools = false;
      this.#history.add(this.#reply);
    }
    this.#noteParts(reading.parts);
  }

  /** A reply that consists only of reasoning so far continues. */
  #noteParts(parts: Entry['parts']): void {
    this.#asksForTools ||= toolCalls(parts).length > 0;
    if (parts.some((part) => part.type !== 'reasoning')) this.#awaitsReply = this.#asksForTools;
  }

  #acceptMessage(item: s.JsonRecord, reading: CodexItem, place: RecordPlace): void {
    this.#isReplying = false;
    const slot = this.#book.open(item, reading, place, this.model);
    this.#guessed = reading.kind === 'message' && reading.injected && isGuessed(item) ? slot : null;
    if (reading.kind === 'result') this.#awaitsReply = true;
    if (isPersons(reading)) this.#acceptPersonsPrompt(slot);
    else this.#history.add(slot);
  }

  #acceptPersonsPrompt(slot: Slot): void {
    this.#awaitsReply = true;
    this.#notePrompt(textOf(slot.entry.parts));
    this.#history.prompt(slot);
  }

  /** Older versions repeat the text that a person typed, so it was not injected, whatever it begins with. */
  #acceptTyped(text: string | null): void {
    const slot = this.#guessed;
    if (slot === null || text === null || textOf(slot.entry.parts).trim() !== text.trim()) return;
    this.#guessed = null;
    slot.setTyped();
    this.#awaitsReply = true;
    this.#notePrompt(text);
    this.#history.newestIsPrompt();
  }

  #acceptCompaction(payload: s.JsonRecord, place: RecordPlace): void {
    this.#isReplying = false;
    this.#guessed = null;
    const before = this.#history.slots();
    const after = this.#afterCompaction(payload, before, place);
    this.#history.replace(after);
    this.#noteCompaction(payload, place, before, after);
  }

  /** Older versions logged only the summary; the context was then the summary and the person's messages. */
  #afterCompaction(payload: s.JsonRecord, before: readonly Slot[], place: RecordPlace): readonly Slot[] {
    const { model } = this;
    const { message: summary, replacement_history: history } = s.read(compacted, payload);
    if (Array.isArray(history)) {
      return this.#book.replacement(s.read(s.jsonRecords, history), summary, place, model);
    }
    const prompts = before.filter(({ entry }) => entry.role === 'user' && !entry.injected);
    if (summary === null) return prompts;
    const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text: summary }] };
    return [...prompts, ...this.#book.replacement([item], summary, place, model)];
  }

  #noteCompaction(payload: s.JsonRecord, place: RecordPlace, before: readonly Slot[], after: readonly Slot[]): void {
    const kept = new Set(after.map((slot) => slot.entry.id));
    const summary = after.filter((slot) => slot.entry.summary).at(-1);
    const isOpaque = s.read(s.jsonRecords, payload.replacement_history).some((item) => {
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

  #acceptEvent(event: s.JsonRecord): void {
    const { model_context_window: window, info, thread_name: name, num_turns: turns } = s.read(anyEvent, event);
    this.contextWindow = window ?? info.model_context_window ?? this.contextWindow;
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
        this.#history.rollBack(turns);
        return;
      case 'thread_name_updated':
        this.givenTitle = titleOf(name);
        return;
      case 'user_message':
        this.#acceptTyped(typedText(event));
        return;
      case 'token_count':
        this.#acceptTokenCount(event.info);
    }
  }

  /** Usage reported before any reply belongs to the request for the summary. */
  #acceptUsage(payload: s.JsonRecord): void {
    const usage = this.#usage.ofRecord(payload);
    if (this.#isReplying && usage !== null) this.#reply?.setUsage(usage);
    this.#isReplying = false;
  }

  #acceptTokenCount(info: unknown): void {
    const usage = this.#usage.ofTokenCount(info);
    if (usage !== null && this.#reply?.hasUsage === false) this.#reply.setUsage(usage);
    const left = tokensLeft(info);
    const newest = left === null ? undefined : this.#compactions.pop();
    if (newest !== undefined) this.#compactions.push({ ...newest, tokensAfter: newest.tokensAfter ?? left });
  }

  #notePrompt(text: string): void {
    this.notePrompt(text.replace(pictureTag, ''));
  }
}

function isPersons(reading: CodexItem): boolean {
  return reading.kind === 'message' && reading.role === 'user' && !reading.injected;
}
