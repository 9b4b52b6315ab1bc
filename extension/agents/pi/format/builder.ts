import type { AgentCompaction } from '../../../engine/conversation/conversation';
import { type Entry, textOf } from '../../../engine/conversation/entry';
import { localizable } from '../../../engine/wording/localizable-text';
import * as s from '../../../platform/json/schemas';
import {
  type EntryPlace,
  LineSession,
  type SessionContent,
  type Unreadable,
} from '../../../sessions/records/line-session';
import { titleOf } from '../../../sessions/records/title';
import { partsWithoutCalls } from './content';
import { contextAt } from './context';
import { injected, type PiMessage, piMessage, systemMessage } from './messages';
import type { Compaction, RecordContent, RecordNode } from './records';

const noContent: RecordContent = { kind: 'state' };

const header = s.record({ id: s.name, cwd: s.name, modelId: s.name, parentSession: s.name });
const treeRecord = s.record({ type: s.name, id: s.name, parentId: s.anything, timestamp: s.name });
const messageRecord = s.record({ message: s.jsonRecord });
const branchSummary = s.record({ summary: s.name });
const compaction = s.record({
  summary: s.anything,
  systemMessage: s.jsonRecord,
  firstKeptEntryId: s.name,
  firstKeptEntryIndex: s.count,
  keepLastMessages: s.count,
  tokensBefore: s.count,
});
const contextEdit = s.record({ targetId: s.name, replacement: s.anything });
const replacement = s.optionalRecord({ content: s.anything });
const setting = s.record({ name: s.text, modelId: s.name });

/** Builds a pi session of any version of its format. */
export class PiBuilder extends LineSession {
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

  /** The newest record; the context consists of the records from the root to it. */
  #leaf: RecordNode | null = null;
  #newestPrompt: PiMessage | null = null;
  #hasHeader = false;
  /** The session that this one was forked or handed off from. */
  #parentFile: string | null = null;
  #firstType: unknown = null;

  constructor(file: string) {
    super('pi', file);
  }

  protected content(): SessionContent {
    const { entries: agentContext, awaitsReply } = contextAt(this.#leaf);
    const agentCompactions = compactionsFrom(this.#leaf);
    const conversation = { entries: this.#entries.slice(), agentContext, agentCompactions };
    const file = this.#parentFile;
    return {
      conversation,
      awaitsReply,
      ...(file === null ? {} : { predecessor: { id: '', file, title: null } }),
    };
  }

  /** Programs that keep messages alone write no header. */
  protected override get lacksBeginning(): boolean {
    return !this.#hasHeader && this.#firstType !== 'message';
  }

  protected acceptRecord(record: s.JsonRecord, line: number): void {
    this.#firstType ??= record.type;
    if (record.type === 'session') this.#acceptHeader(record);
    else this.#acceptEntry(record, line);
  }

  protected override acceptUnreadable(reading: Unreadable, line: number): void {
    super.acceptUnreadable(reading, line);
    if (reading.kind === 'no-object') this.#recordIds.push(null);
  }

  #acceptHeader(record: s.JsonRecord): void {
    this.#recordIds.push(null);
    this.otherRecords.add('session');
    if (this.#hasHeader) return;
    this.#hasHeader = true;
    const { id, cwd, modelId, parentSession } = s.read(header, record);
    this.#parentFile = parentSession;
    this.sessionId = id;
    this.cwd = cwd;
    this.model = modelId;
  }

  #acceptEntry(record: s.JsonRecord, line: number): void {
    const { type, id, parentId, timestamp } = s.read(treeRecord, record);
    const ownId = id ?? `line-${line}`;
    if (this.#nodes.has(ownId))
      this.issues.add(line, localizable('The id {0} occurs a second time; both records are shown', ownId));
    const content = this.#contentOf(record, type, {
      id: this.ids.claim(ownId),
      timestamp,
      origin: { file: this.file, line },
    });
    if (content.kind === 'state') this.otherRecords.add(kindOfState(record, type));
    const node = nodeOf(ownId, this.#parentOf(parentId, line), content);
    this.#nodes.set(ownId, node);
    this.#recordIds.push(ownId);
    this.#leaf = node;
  }

  /** In version 1, which has no ids, each record follows the one before it. */
  #parentOf(parentId: unknown, line: number): RecordNode | null {
    if (parentId === undefined) return this.#leaf;
    if (parentId === null) return null;
    const parent = typeof parentId === 'string' ? this.#nodes.get(parentId) : undefined;
    if (parent !== undefined) return parent;
    this.issues.add(
      line,
      localizable('The record before this one is not in this file; pi would send nothing from before it'),
    );
    return null;
  }

  #contentOf(record: s.JsonRecord, type: string | null, place: EntryPlace): RecordContent {
    switch (type) {
      case 'message':
        return this.#message(s.read(messageRecord, record).message ?? {}, place);
      case 'custom_message':
        return this.#keep(injected(partsWithoutCalls(record.content), place, true));
      case 'branch_summary':
        return this.#branchSummary(record, place);
      case 'compaction':
        return { kind: 'compaction', compaction: this.#compaction(record, place) };
      case 'context_edit':
        return editOf(record);
      default:
        this.#noteState(record, type);
        return noContent;
    }
  }

  #message(fields: s.JsonRecord, place: EntryPlace): RecordContent {
    const message = piMessage(fields, place, this.#newestPrompt === null);
    if (message === null) return noContent;
    const { entry } = message;
    if (entry.role === 'system') this.#newestPrompt = message;
    if (entry.role === 'user' && !entry.injected) this.notePrompt(textOf(entry.parts));
    this.model = entry.model ?? this.model;
    return this.#keep(message);
  }

  #keep(message: PiMessage): RecordContent {
    this.noteTooDeep(message.entry.parts, message.entry.origin.line);
    this.#entries.push(message.entry);
    return { kind: 'message', message };
  }

  /** Makes an entry of the text that pi sends about a branch that a person left. It replaces nothing, so it is not a compaction. */
  #branchSummary(record: s.JsonRecord, place: EntryPlace): RecordContent {
    const { summary } = s.read(branchSummary, record);
    return summary === null ? noContent : this.#keep(injected([{ type: 'text', text: summary }], place, false));
  }

  /**
   * The summary has the text of the record. When pi sends it, it adds a sentence and a pair of tags, which differ between
   * versions and are in no file.
   */
  #compaction(record: s.JsonRecord, place: EntryPlace): Compaction {
    const fields = s.read(compaction, record);
    const messages = this.#checkpointPrompt(fields.systemMessage, place);
    const parts = partsWithoutCalls(fields.summary);
    const summary: Entry = { ...place, role: 'user', parts, injected: true, summary: true };
    messages.push({ entry: summary, fate: 'sent', replaceable: false });
    this.#entries.push(summary);
    const { firstKeptEntryIndex: keptAt, keepLastMessages: keptMessages } = fields;
    return {
      messages,
      firstKeptId: fields.firstKeptEntryId ?? (keptAt === null ? null : (this.#recordIds[keptAt] ?? null)),
      keptMessages,
      record: {
        ...place,
        kind: 'summary',
        summaryEntryId: summary.id,
        tokensBefore: fields.tokensBefore,
        tokensAfter: null,
        trigger: null,
      },
    };
  }

  /** The prompt that a compaction repeats. Usually it was sent before, and its entry stays. */
  #checkpointPrompt(fields: s.JsonRecord | null, place: EntryPlace): PiMessage[] {
    if (fields === null) return [];
    const message = systemMessage(fields, place, true);
    const before = this.#newestPrompt;
    if (before !== null && JSON.stringify(before.entry.parts) === JSON.stringify(message.entry.parts)) return [before];
    const prompt = { ...message, entry: { ...message.entry, id: this.ids.claim(`${place.id}:system`) } };
    this.#newestPrompt = prompt;
    this.#entries.push(prompt.entry);
    return [prompt];
  }

  #noteState(record: s.JsonRecord, type: string | null): void {
    const { name, modelId } = s.read(setting, record);
    if (type === 'session_info') this.givenTitle = titleOf(name);
    if (type === 'model_change') this.model = modelId ?? this.model;
  }
}

function nodeOf(id: string, parent: RecordNode | null, content: RecordContent): RecordNode {
  const above = parent === null || parent.content.kind === 'compaction' ? parent : parent.newestCompaction;
  return { id, parent, content, newestCompaction: above, replacedEntryIds: null };
}

function editOf(record: s.JsonRecord): RecordContent {
  const { targetId, ...edit } = s.read(contextEdit, record);
  if (targetId === null) return noContent;
  if (edit.replacement === null) return { kind: 'edit', edit: { targetId, replacement: { kind: 'omit' } } };
  const fields = s.read(replacement, edit.replacement);
  if (fields === null) return noContent;
  return { kind: 'edit', edit: { targetId, replacement: { kind: 'replace', content: fields.content } } };
}

/** The compactions on the branch of this record; those on other branches are not in force. */
function compactionsFrom(leaf: RecordNode | null): AgentCompaction[] {
  const found: AgentCompaction[] = [];
  for (let node = leaf; node !== null; node = node.newestCompaction) {
    if (node.content.kind !== 'compaction') continue;
    node.replacedEntryIds ??= replacedBy(node);
    found.push({ ...node.content.compaction.record, replacedEntryIds: node.replacedEntryIds });
  }
  return found.reverse();
}

/** The entries that were sent before a compaction and not after it. */
function replacedBy(node: RecordNode): string[] {
  const kept = new Set(contextAt(node).entries.map((entry) => entry.id));
  return contextAt(node.parent)
    .entries.map((entry) => entry.id)
    .filter((id) => !kept.has(id));
}

const roleOf = s.record({ message: s.record({ role: s.name }) });

function kindOfState(record: s.JsonRecord, type: string | null): string {
  return type === 'message' ? `message/${s.read(roleOf, record).message.role ?? 'no role'}` : (type ?? 'no type');
}
