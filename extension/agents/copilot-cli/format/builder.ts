import { basename, dirname } from 'node:path';
import type { AgentCompaction } from '../../../engine/conversation/conversation';
import { type Entry, type Part, toolCalls, type Usage, withTextsMerged } from '../../../engine/conversation/entry';
import * as s from '../../../platform/json/schemas';
import { addressText } from '../../../sessions/address';
import { type EntryPlace, LineSession, type SessionContent } from '../../../sessions/records/line-session';
import { titleOf } from '../../../sessions/records/title';
import type { Subagent } from '../../../sessions/session';
import { EventContext } from './context';
import { commandText, images, replyParts, summaryText, toolResultParts, usageOf, userPieces } from './messages';
import * as records from './records';

/** Text that clearing the context puts first. The event that delivers it repeats the text. */
const rollover = 'session-memory-rollover';
const fromAgent = /^agent-/;

/**
 * Builds one conversation of an event log: the session's own or, with a key, that of the subagent with this id. One
 * file contains the events of all of them.
 */
export class CopilotCliBuilder extends LineSession {
  /** In file order. */
  readonly #entries: Entry[] = [];
  readonly #context = new EventContext();
  readonly #compactions: AgentCompaction[] = [];
  readonly #assets = new Map<string, string>();
  /** Data of the request whose reply follows. */
  #reported: { readonly callId: string | null; readonly usage: Usage | null } | null = null;
  readonly #toolNames = new Map<string, string>();
  readonly #commands = new Map<string, string>();
  readonly #started: { readonly id: string; readonly callId: string | null; readonly title: string | null }[] = [];
  /** Prompts since the context was last cleared; a compaction repeats them. */
  #prompts: string[] = [];
  #system: Entry | null = null;
  /** The text that clearing the context put first, until the event that delivers it. */
  #delivered: string | null = null;
  #newestCallId: string | null = null;
  #isStopped = false;

  /** @param source the file; the session's address is the same for the session itself */
  constructor(
    private readonly source: string,
    private readonly key: string | null = null,
  ) {
    super('copilot-cli', addressText({ file: source, key }), { authors: { namePerson: true }, beginsWithId: true });
  }

  protected content(): SessionContent {
    const sent = this.#context.sent();
    const agentContext = this.#system === null ? sent : [this.#system, ...sent];
    return {
      conversation: {
        entries: this.#entries.slice(),
        agentContext,
        agentCompactions: this.#compactions.slice(),
      },
      awaitsReply: !this.#isStopped && this.#context.awaitsReply(),
      subagents: this.#subagents(),
      ...this.#ownFacts(),
    };
  }

  protected override get idOfPlace(): string {
    return basename(dirname(this.source));
  }

  /** A subagent's id is its key, and it has a parent. */
  #ownFacts(): Partial<SessionContent> {
    if (this.key === null) return {};
    const { callId = null, title = null } = this.#started.find(({ id }) => id === this.key) ?? {};
    const parent = { file: this.source, callId };
    return { id: this.key, parent, ...(title === null ? {} : { title }) };
  }

  protected acceptRecord(record: s.JsonRecord, line: number): void {
    const { type, id, timestamp, agentId, data } = s.read(records.event, record);
    const place: EntryPlace = { id: id ?? `line-${line}`, timestamp, origin: { file: this.source, line } };
    if (type === 'subagent.started' && agentId !== null) this.#noteSubagent(agentId, data);
    this.#takeShared(type, data);
    if (agentId === this.key && !this.#acceptOwn(type, data, place)) this.otherRecords.add(type ?? 'no type');
  }

  /** Takes events that concern the session and its subagents alike. */
  #takeShared(type: string | null, data: unknown): void {
    switch (type) {
      case 'session.start':
      case 'session.resume': {
        const { sessionId, selectedModel, context } = s.read(records.started, data);
        this.sessionId ??= sessionId;
        this.model = selectedModel ?? this.model;
        this.cwd = context.cwd ?? this.cwd;
        return;
      }
      case 'session.context_changed':
        this.cwd = s.read(records.folderChange, data).cwd ?? this.cwd;
        return;
      case 'session.binary_asset': {
        const { assetId, data: bytes } = s.read(records.asset, data);
        if (assetId !== null && bytes !== null) this.#assets.set(assetId, bytes);
        return;
      }
    }
  }

  /** Whether the event is a message of the conversation. */
  #acceptOwn(type: string | null, data: unknown, place: EntryPlace): boolean {
    switch (type) {
      case 'user.message':
        return this.#userMessage(s.read(records.userMessage, data), place);
      case 'assistant.message':
        return this.#reply(s.read(records.assistantMessage, data), place);
      case 'tool.execution_complete':
        return this.#toolResult(s.read(records.toolResult, data), place);
      case 'system.message':
        return this.#systemMessage(s.read(records.systemMessage, data), place);
      case 'system.notification':
        return this.#say(place, s.read(records.notification, data).content);
      case 'session.compaction_complete':
        return this.#compacted(s.read(records.compactionEnd, data), place);
      case 'session.context_cleared':
        return this.#cleared(s.read(records.contextCleared, data).initialMessage, place);
      default:
        this.#state(type, data);
        return false;
    }
  }

  #state(type: string | null, data: unknown): void {
    switch (type) {
      case 'session.usage_record': {
        const record = s.read(records.usageRecord, data);
        this.#reported = { callId: record.usage.apiCallId, usage: usageOf(record) };
        this.contextWindow = record.usage.maxPromptTokens ?? this.contextWindow;
        return;
      }
      case 'session.model_change':
        this.model = s.read(records.modelChange, data).newModel ?? this.model;
        return;
      case 'session.title_changed':
        this.givenTitle = titleOf(s.read(records.titleChange, data).title);
        return;
      case 'session.compaction_start':
        this.#context.beginCompaction(s.read(records.compactionStart, data).compactionAttemptId);
        return;
      case 'tool.user_requested': {
        const { toolCallId, arguments: input } = s.read(records.userCommand, data);
        if (toolCallId !== null) this.#commands.set(toolCallId, input.command);
        return;
      }
      case 'abort':
        this.#isStopped = true;
        return;
    }
  }

  #userMessage(fields: s.Read<typeof records.userMessage>, place: EntryPlace): boolean {
    const delivered = this.#delivered;
    this.#delivered = null;
    if (fields.source === rollover && fields.transformedContent === delivered) return false;
    this.#isStopped = false;
    const { before, person, after } = userPieces(fields);
    const pictures = images(fields.attachments, this.#assets);
    const isOwnPrompt = this.key !== null && this.#prompts.length === 0;
    const isInjected = (fields.source !== null && !(isOwnPrompt && fromAgent.test(fields.source))) || person === '';
    if (!isInjected || fields.isAutopilotContinuation) this.#prompts.push(fields.content);
    if (isInjected || fields.isAutopilotContinuation) return this.#say(place, `${before}${person}${after}`, pictures);
    this.#inject(place, 'before', before);
    this.#keep({ ...place, id: this.ids.claim(place.id), role: 'user', parts: [...textParts(person), ...pictures] });
    this.#inject(place, 'after', after);
    this.notePrompt(person);
    return true;
  }

  #inject(place: EntryPlace, suffix: string, text: string): void {
    if (text.trim() !== '') this.#say({ ...place, id: `${place.id}:${suffix}` }, text);
  }

  /** Text in the role `user` that no person wrote. */
  #say(place: EntryPlace, text: string, more: readonly Part[] = []): boolean {
    const parts = [...textParts(text), ...more];
    if (parts.length === 0) return false;
    this.#keep({ ...place, id: this.ids.claim(place.id), role: 'user', parts, injected: true });
    return true;
  }

  #reply(fields: s.Read<typeof records.assistantMessage>, place: EntryPlace): boolean {
    this.#isStopped = false;
    const { model, apiCallId } = fields;
    this.model = model ?? this.model;
    const parts = replyParts(fields);
    for (const { callId, name } of toolCalls(parts)) this.#toolNames.set(callId, name);
    const last = this.#context.messages.at(-1);
    if (apiCallId !== null && apiCallId === this.#newestCallId && last?.role === 'assistant')
      return this.#goOn(last, parts);
    this.#newestCallId = apiCallId;
    const usage = this.#usageOf(apiCallId);
    this.#keep({
      ...place,
      id: this.ids.claim(place.id),
      role: 'assistant',
      parts,
      ...(usage === null ? {} : { usage }),
      ...(model === null ? {} : { model }),
    });
    return true;
  }

  /** Providers that give their replies no id have none in either event. */
  #usageOf(callId: string | null): Usage | null {
    const reported = this.#reported;
    if (reported === null || reported.callId !== callId) return null;
    this.#reported = null;
    return reported.usage;
  }

  /** Continues a reply that Copilot split at new reasoning: its parts are one message. */
  #goOn(last: Entry, parts: readonly Part[]): boolean {
    const whole = { ...last, parts: withTextsMerged([...last.parts, ...parts]) };
    this.#entries[this.#entries.lastIndexOf(last)] = whole;
    this.#context.replaceLast(whole);
    return true;
  }

  #toolResult(fields: s.Read<typeof records.toolResult>, place: EntryPlace): boolean {
    const { toolCallId, isUserRequested } = fields;
    if (toolCallId === null) return false;
    if (isUserRequested) return this.#say(place, commandText(this.#commands.get(toolCallId) ?? '', fields));
    const name = this.#toolNames.get(toolCallId) ?? null;
    const parts = toolResultParts(toolCallId, name, fields, this.#assets);
    this.#keep({ ...place, id: this.ids.claim(place.id), role: 'tool', parts });
    return true;
  }

  /** Copilot logs its prompt whenever it changed; only the newest one is sent. */
  #systemMessage({ role, content }: s.Read<typeof records.systemMessage>, place: EntryPlace): boolean {
    if (role !== 'system' || content === '') return false;
    this.#system = { ...place, id: this.ids.claim(place.id), role: 'system', parts: textParts(content) };
    this.#entries.push(this.#system);
    return true;
  }

  #compacted(fields: s.Read<typeof records.compactionEnd>, place: EntryPlace): boolean {
    if (!fields.success) return false;
    const summary = this.#summary(place, summaryText(this.#prompts, fields.summaryContent));
    const replacedEntryIds = this.#context.compact(fields.compactionAttemptId, summary);
    this.#entries.push(summary);
    this.#compactions.push({
      ...place,
      kind: 'summary',
      summaryEntryId: summary.id,
      replacedEntryIds,
      tokensBefore: fields.preCompactionTokens,
      tokensAfter: fields.postCompactionTokens,
      trigger: triggerOf(fields.trigger),
    });
    return true;
  }

  /** An extension replaced all messages by one. */
  #cleared(initialMessage: string | null, place: EntryPlace): boolean {
    const replacedEntryIds = this.#context.clear();
    this.#prompts = [];
    this.#delivered = initialMessage;
    const summary = initialMessage === null ? null : this.#summary(place, initialMessage);
    if (summary !== null) this.#keep(summary);
    this.#compactions.push({
      ...place,
      kind: 'summary',
      summaryEntryId: summary?.id ?? null,
      replacedEntryIds,
      tokensBefore: null,
      tokensAfter: null,
      trigger: null,
    });
    return true;
  }

  #summary(place: EntryPlace, text: string): Entry {
    const id = this.ids.claim(place.id);
    return { ...place, id, role: 'user', parts: textParts(text), injected: true, summary: true };
  }

  #keep(entry: Entry): void {
    this.noteTooDeep(entry.parts, entry.origin.line);
    this.#entries.push(entry);
    this.#context.add(entry);
  }

  #noteSubagent(id: string, data: unknown): void {
    const { toolCallId, agentDisplayName, agentDescription } = s.read(records.subagentStarted, data);
    this.#started.push({ id, callId: toolCallId, title: titleOf(agentDescription || agentDisplayName) });
  }

  /** Subagents that a call of this conversation started. */
  #subagents(): Subagent[] {
    return this.#started
      .filter(({ callId }) => callId !== null && this.#toolNames.has(callId))
      .map(({ id, callId, title }) => ({ callId, title, file: addressText({ file: this.source, key: id }) }));
  }
}

function textParts(text: string): Part[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

function triggerOf(trigger: string | null): AgentCompaction['trigger'] {
  if (trigger === null) return null;
  return trigger === 'manual' ? 'manual' : 'automatic';
}
