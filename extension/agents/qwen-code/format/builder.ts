import { type Entry, type Part, textOf, type Usage } from '../../../engine/conversation/entry';
import { localizable } from '../../../engine/wording/localizable-text';
import * as s from '../../../platform/json/schemas';
import { CallIds } from '../../../sessions/gemini-content/call-ids';
import { readContent, readUserContent } from '../../../sessions/gemini-content/content';
import { splitPromptParts, splitUserParts, type UserParts } from '../../../sessions/gemini-content/user-parts';
import { LineSession, type SessionContent } from '../../../sessions/records/line-session';
import { titleOf } from '../../../sessions/records/title';
import { type Compression, compressionOf, isCompression } from './compression';
import { contextAt } from './context';
import { EntryList } from './entry-list';
import type { GrowingEntry } from './growing-entry';
import { type ChainRow, isInChain, kindOfRow, type Row, readRow, speakerOf } from './row';
import { RowTree } from './row-tree';
import type { RowContent, RowNode } from './rows';
import { parentOf } from './subagents';
import { UserMessage } from './user-message';

/** Builds a Qwen Code session. A subagent's file is a separate session in which every row is a sidechain row. */
export class QwenCodeBuilder extends LineSession {
  readonly #calls = new CallIds();
  readonly #entries = new EntryList(this.ids);
  readonly #tree = new RowTree();
  readonly #compressions: Compression[] = [];
  #agentId: string | null = null;
  #agentName: string | null = null;

  constructor(file: string) {
    // Each part of a message has one author: see `splitUserParts`.
    super('qwen-code', file, { authors: 'apart' });
  }

  protected content(): SessionContent {
    const { entries, awaitsReply } = contextAt(this.#tree, this.#tree.leaf);
    const parent = parentOf(this.file, this.#agentId, this.#agentName, this.sessionId);
    return {
      id: this.#agentId ?? this.sessionId ?? '',
      ...(parent === null ? {} : { parent }),
      issues: this.#tree.gaps(),
      conversation: {
        entries: this.#entries.list(),
        agentContext: entries,
        agentCompactions: this.#compressions.map((compression) => compression.record),
        ...(this.#tree.beginsMidway ? { beginsMidway: true as const } : {}),
      },
      awaitsReply,
    };
  }

  protected acceptRecord(record: s.JsonRecord, line: number): void {
    const row = readRow(record);
    this.#noteSession(row);
    if (!isInChain(row)) {
      this.otherRecords.add(kindOfRow(row));
      return;
    }
    const known = this.#tree.at(row.uuid);
    if (known !== null)
      this.issues.add(line, localizable('The id {0} occurs a second time; Qwen Code reads both rows as one', row.uuid));
    const node = known ?? this.#nodeOf(row, line);
    const hasContent = this.#addContent(node, row, line, known === null);
    if (!hasContent) this.otherRecords.add(kindOfRow(row));
    this.#tree.leaf = node;
  }

  #nodeOf(row: ChainRow, line: number): RowNode {
    const { uuid, parentUuid, timestamp } = row;
    const node: RowNode = {
      uuid,
      parentUuid: parentUuid === '' ? null : parentUuid,
      place: { id: this.ids.claim(uuid), timestamp, origin: { file: this.file, line } },
      speaker: speakerOf(row),
      content: { kind: 'state' },
    };
    this.#tree.add(node);
    return node;
  }

  #noteSession(row: Row): void {
    this.sessionId ??= row.sessionId;
    if (row.isSidechain) {
      this.#agentId ??= row.agentId;
      this.#agentName ??= row.agentName;
    }
    this.cwd ??= row.cwd;
    this.branch = row.gitBranch ?? this.branch;
    if (row.subtype === 'custom_title') {
      this.givenTitle = titleOf(row.systemPayload?.customTitle ?? '') ?? this.givenTitle;
    }
  }

  /** Returns whether the row has content. The first row of an id decides who speaks. */
  #addContent(node: RowNode, row: Row, line: number, isFirst: boolean): boolean {
    switch (node.speaker) {
      case 'model':
        return this.#addReply(node, row, line);
      case 'nobody':
        return false;
      case 'system':
        if (isFirst) node.content = this.#systemRow(row, node);
        return isFirst && node.content.kind === 'compression';
      default:
        return this.#addUserMessage(node, node.speaker, row);
    }
  }

  #addReply(node: RowNode, row: Row, line: number): boolean {
    const { parts } = readContent(row.message.parts, this.#calls);
    this.model = row.model ?? this.model;
    this.contextWindow = row.contextWindowSize ?? this.contextWindow;
    if (parts.length === 0) return false;
    this.noteTooDeep(parts, line);
    const reply = this.#replyOf(node, row);
    reply.add(parts, replyMetadata(row));
    this.#entries.markChanged(reply);
    node.content = { kind: 'reply', reply };
    return true;
  }

  #replyOf(node: RowNode, row: Row): GrowingEntry {
    if (node.content.kind === 'reply') return node.content.reply;
    const continued = continuedReply(row, this.#tree.at(node.parentUuid));
    return continued ?? this.#entries.addGrowing({ ...node.place, role: 'assistant' });
  }

  #addUserMessage(node: RowNode, speaker: 'person' | 'user' | 'agent', row: Row): boolean {
    const { parts, results } = readUserContent(row.message.parts, this.#calls);
    if (parts.length + results.length === 0) return false;
    const byAuthor = partsByAuthor(speaker, parts);
    const message = node.content.kind === 'user' ? node.content.message : new UserMessage(node.place, this.#entries);
    message.add(results, byAuthor);
    node.content = { kind: 'user', message };
    if (byAuthor.person.length > 0) this.notePrompt(textOf(byAuthor.person));
    return true;
  }

  #systemRow(row: Row, node: RowNode): RowContent {
    if (isCompression(row)) return this.#compression(row, node);
    const command = answeredCommand(row);
    return command === null ? { kind: 'state' } : { kind: 'answered-command', command };
  }

  /** The cost is linear in the entries since the previous compression, so each entry is visited once. */
  #compression(row: Row, { place, parentUuid }: RowNode): RowContent {
    const before = contextAt(this.#tree, this.#tree.at(parentUuid)).entries;
    const compression = compressionOf(row, place, before, this.ids);
    this.#entries.add(compression.added);
    this.#compressions.push(compression);
    return { kind: 'compression', compression };
  }
}

function partsByAuthor(speaker: 'person' | 'user' | 'agent', parts: readonly Part[]): UserParts {
  if (speaker === 'agent') return { before: parts, person: [], after: [] };
  return speaker === 'person' ? splitPromptParts(parts) : splitUserParts(parts);
}

/** In a subagent's file a reply's text and usage are one row, and each of its calls is a following row. */
function continuedReply(row: Row, parent: RowNode | null): GrowingEntry | null {
  const isContinuation = row.isSidechain && row.usageMetadata === undefined && row.agentRound === undefined;
  return isContinuation && parent?.content.kind === 'reply' ? parent.content.reply : null;
}

/** The command that Qwen Code itself answered. It is removed from the context only if all answers are the assistant's. */
function answeredCommand({ subtype, systemPayload }: Row): string | null {
  if (subtype !== 'slash_command' || systemPayload?.phase !== 'result' || systemPayload.sentToModel) return null;
  const { rawCommand, outputHistoryItems: items } = systemPayload;
  return items.length > 0 && items.every((item) => s.isRecord(item) && item.type === 'assistant') ? rawCommand : null;
}

const usageRecord = s.record({
  promptTokenCount: s.count,
  cachedContentTokenCount: s.countOrZero,
  candidatesTokenCount: s.countOrZero,
  totalTokenCount: s.count,
});

/** Facts about a reply besides its parts. */
function replyMetadata({ usageMetadata, model }: Row): Pick<Entry, 'usage' | 'model'> {
  const usage = usageOf(s.read(usageRecord, usageMetadata));
  return { ...(usage === null ? {} : { usage }), ...(model === null ? {} : { model }) };
}

/**
 * `promptTokenCount` includes the cached tokens. The output is derived from the total, because `candidatesTokenCount`
 * includes the thoughts only with some providers.
 */
function usageOf(usage: s.Read<typeof usageRecord>): Usage | null {
  const { promptTokenCount: prompt, totalTokenCount: total } = usage;
  if (prompt === null) return null;
  const cacheRead = Math.min(usage.cachedContentTokenCount, prompt);
  const output = total === null ? usage.candidatesTokenCount : Math.max(0, total - prompt);
  return { input: prompt - cacheRead, output, cacheRead, cacheWrite: 0 };
}
