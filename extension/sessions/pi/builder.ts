import type { AgentCompaction, Conversation } from '../../engine/conversation/conversation';
import { type Entry, textOf } from '../../engine/conversation/entry';
import type { SessionBuilder } from '../adapter';
import { IssueList } from '../records/issues';
import { asCount, asName, asRecord, type JsonRecord } from '../records/json';
import { type Line, readLine } from '../records/line';
import { Tally } from '../records/tally';
import { titleOf } from '../records/title';
import { tooDeepIssues } from '../records/tool-input';
import { UniqueIds } from '../records/unique-ids';
import type { ParsedSession } from '../session';
import { contentParts } from './content';
import { contextAt } from './context';
import { type EntryPlace, injected, type PiMessage, piMessage, roleOf } from './messages';
import type { Compaction, ContextEdit, RecordContent, RecordNode } from './records';

const noContent: RecordContent = { kind: 'state' };

/** Builds a pi session of any version of its format. */
export class PiBuilder implements SessionBuilder {
  readonly #issues: IssueList;
  readonly #otherRecords = new Tally();
  readonly #ids = new UniqueIds();

  /** In file order. */
  readonly #entries: Entry[] = [];
  readonly #nodes = new Map<string, RecordNode>();
  /**
   * The id of every record in the file, null for the header. In version 1 a compaction names the first record it keeps
   * by its place in this list: `entries[firstKeptEntryIndex]` in pi's own migration, where `entries` has the header at
   * 0 and lines that are no JSON left out. In the sample 293 and 551 are lines 294 and 552, both prompts of a person;
   * counted without the header they would cut a turn in two, which version 1 never did.
   */
  readonly #recordIds: (string | null)[] = [];

  /** The newest record; the context is made of the records from here to the root. */
  #leaf: RecordNode | null = null;
  #newestPrompt: PiMessage | null = null;
  #hasHeader = false;
  #sessionId: string | null = null;
  #cwd: string | null = null;
  #model: string | null = null;
  #name: string | null = null;
  #firstText: string | null = null;

  constructor(private readonly file: string) {
    this.#issues = new IssueList(file);
  }

  accept(line: Line): void {
    const reading = readLine(line);
    switch (reading.kind) {
      case 'blank':
        return;
      case 'broken':
        this.#issues.add(line.number, reading.message);
        return;
      case 'no-object':
        this.#issues.add(line.number, reading.message);
        this.#recordIds.push(null);
        return;
      case 'record':
        this.#acceptRecord(reading.record, line.number);
    }
  }

  session(): ParsedSession {
    const context = contextAt(this.#leaf);
    const conversation: Conversation = {
      entries: this.#entries.slice(),
      agentContext: context.entries,
      agentCompactions: compactionsFrom(this.#leaf),
    };
    return {
      agent: 'pi',
      id: this.#sessionId ?? '',
      file: this.file,
      cwd: this.#cwd,
      title: this.#name ?? this.#firstText,
      model: this.#model,
      issues: this.#issues.list(),
      otherRecords: this.#otherRecords.counts(),
      conversation,
      awaitsReply: context.awaitsReply,
    };
  }

  #acceptRecord(record: JsonRecord, line: number): void {
    if (record.type === 'session') this.#acceptHeader(record);
    else this.#acceptEntry(record, line);
  }

  #acceptHeader(record: JsonRecord): void {
    this.#recordIds.push(null);
    this.#otherRecords.add('session');
    if (this.#hasHeader) return;
    this.#hasHeader = true;
    this.#sessionId = asName(record.id);
    this.#cwd = asName(record.cwd);
    this.#model = asName(record.modelId);
  }

  #acceptEntry(record: JsonRecord, line: number): void {
    const ownId = asName(record.id) ?? `line-${line}`;
    if (this.#nodes.has(ownId)) this.#issues.add(line, `The id ${ownId} occurs a second time; both records are shown`);
    const place = {
      id: this.#ids.claim(ownId),
      timestamp: asName(record.timestamp),
      origin: { file: this.file, line },
    };
    const content = this.#contentOf(record, place);
    if (content.kind === 'state') this.#otherRecords.add(kindOfState(record));
    const node = nodeOf(ownId, this.#parentOf(record, line), content);
    this.#nodes.set(ownId, node);
    this.#recordIds.push(ownId);
    this.#leaf = node;
  }

  /** Version 1 has no ids: there a record follows the one before it. */
  #parentOf(record: JsonRecord, line: number): RecordNode | null {
    const parentId = record.parentId;
    if (parentId === undefined) return this.#leaf;
    if (parentId === null) return null;
    const parent = this.#nodes.get(asName(parentId) ?? '');
    if (parent !== undefined) return parent;
    this.#issues.add(line, 'The record before this one is not in this file; pi would send nothing from before it');
    return null;
  }

  #contentOf(record: JsonRecord, place: EntryPlace): RecordContent {
    switch (record.type) {
      case 'message':
        return this.#message(asRecord(record.message) ?? {}, place);
      case 'custom_message':
        return this.#keep(injected(contentParts(record.content), place, true));
      case 'branch_summary':
        return this.#branchSummary(record, place);
      case 'compaction':
        return { kind: 'compaction', compaction: this.#compaction(record, place) };
      case 'context_edit':
        return this.#contextEdit(record);
      default:
        this.#noteState(record);
        return noContent;
    }
  }

  #message(fields: JsonRecord, place: EntryPlace): RecordContent {
    const message = piMessage(fields, place, this.#newestPrompt === null);
    if (message === null) return noContent;
    const { entry } = message;
    if (entry.role === 'system') this.#newestPrompt = message;
    if (entry.role === 'user' && !entry.injected) this.#firstText ??= titleOf(textOf(entry.parts));
    this.#model = entry.model ?? this.#model;
    return this.#keep(message);
  }

  #keep(message: PiMessage): RecordContent {
    const { parts, origin } = message.entry;
    for (const { line, message: text } of tooDeepIssues(parts, origin.line)) this.#issues.add(line, text);
    this.#entries.push(message.entry);
    return { kind: 'message', message };
  }

  /** What pi tells the model of a branch that a person left. It is no compaction: nothing was replaced by it. */
  #branchSummary(record: JsonRecord, place: EntryPlace): RecordContent {
    const summary = asName(record.summary);
    return summary === null ? noContent : this.#keep(injected([{ type: 'text', text: summary }], place, false));
  }

  /**
   * The summary's text is the record's own: pi puts a sentence and a pair of tags around it when it sends it, which
   * differ between versions and stand in no file.
   */
  #compaction(record: JsonRecord, place: EntryPlace): Compaction {
    const messages = this.#checkpointPrompt(record, place);
    const parts = contentParts(record.summary);
    const summary: Entry = { ...place, role: 'user', parts, injected: true, summary: true };
    messages.push({ entry: summary, fate: 'sent', replaceable: false });
    this.#entries.push(summary);
    return {
      messages,
      firstKeptId: this.#firstKeptId(record),
      record: {
        ...place,
        kind: 'summary',
        summaryEntryId: summary.id,
        tokensBefore: asCount(record.tokensBefore),
        tokensAfter: null,
        trigger: null,
      },
    };
  }

  /** Usually the prompt that was sent all along: then it stays the entry it was. */
  #checkpointPrompt(record: JsonRecord, place: EntryPlace): PiMessage[] {
    const fields = asRecord(record.systemMessage);
    if (fields === null) return [];
    const message = piMessage({ ...fields, role: 'system' }, place, true);
    if (message === null) return [];
    const before = this.#newestPrompt;
    if (before !== null && JSON.stringify(before.entry.parts) === JSON.stringify(message.entry.parts)) return [before];
    const prompt = { ...message, entry: { ...message.entry, id: this.#ids.claim(`${place.id}:system`) } };
    this.#newestPrompt = prompt;
    this.#entries.push(prompt.entry);
    return [prompt];
  }

  #firstKeptId(record: JsonRecord): string | null {
    const index = asCount(record.firstKeptEntryIndex);
    return asName(record.firstKeptEntryId) ?? (index === null ? null : (this.#recordIds[index] ?? null));
  }

  #contextEdit(record: JsonRecord): RecordContent {
    const targetId = asName(record.targetId);
    if (targetId === null) return noContent;
    const replacement = replacementOf(record.replacement);
    return replacement === null ? noContent : { kind: 'edit', edit: { targetId, replacement } };
  }

  #noteState(record: JsonRecord): void {
    if (record.type === 'session_info') this.#name = titleOf(asName(record.name) ?? '');
    if (record.type === 'model_change') this.#model = asName(record.modelId) ?? this.#model;
  }
}

function nodeOf(id: string, parent: RecordNode | null, content: RecordContent): RecordNode {
  const above = parent === null || parent.content.kind === 'compaction' ? parent : parent.newestCompaction;
  return { id, parent, content, newestCompaction: above, replacedEntryIds: null };
}

/** Those of the branch of this record: what was compacted on a branch that was left is in force no more. */
function compactionsFrom(leaf: RecordNode | null): AgentCompaction[] {
  const found: AgentCompaction[] = [];
  for (let node = leaf; node !== null; node = node.newestCompaction) {
    if (node.content.kind !== 'compaction') continue;
    node.replacedEntryIds ??= replacedBy(node);
    found.push({ ...node.content.compaction.record, replacedEntryIds: node.replacedEntryIds });
  }
  return found.reverse();
}

/** What was sent before a compaction and is not any more. */
function replacedBy(node: RecordNode): string[] {
  const kept = new Set(contextAt(node).entries.map((entry) => entry.id));
  return contextAt(node.parent)
    .entries.map((entry) => entry.id)
    .filter((id) => !kept.has(id));
}

function replacementOf(value: unknown): ContextEdit['replacement'] | null {
  if (value === null) return { kind: 'omit' };
  const fields = asRecord(value);
  return fields === null ? null : { kind: 'replace', content: fields.content };
}

function kindOfState(record: JsonRecord): string {
  const type = asName(record.type) ?? 'no type';
  return type === 'message' ? `message/${roleOf(asRecord(record.message) ?? {})}` : type;
}
