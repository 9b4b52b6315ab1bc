import { type Part, textOf } from '../../engine/conversation/entry';
import type { SessionBuilder } from '../adapter';
import { CallIds } from '../gemini-content/call-ids';
import { readContent, readUserContent } from '../gemini-content/content';
import { splitPromptParts, splitUserParts, type UserParts } from '../gemini-content/user-parts';
import { IssueList } from '../records/issues';
import { asCount, asList, asName, asRecord, type JsonRecord } from '../records/json';
import { type Line, readLine } from '../records/line';
import { Tally } from '../records/tally';
import { titleOf } from '../records/title';
import { tooDeepIssues } from '../records/tool-input';
import type { ParsedSession } from '../session';
import { type Compression, compressionOf, isCompression } from './compression';
import { contextAt } from './context';
import { EntryList } from './entry-list';
import type { GrowingEntry } from './growing-entry';
import { replyMetadata } from './reply';
import { hasPlaceInChain, kindOfRow, speakerOf } from './row-kinds';
import { RowTree } from './row-tree';
import type { RowContent, RowNode } from './rows';
import { parentOf } from './subagents';
import { UserMessage } from './user-message';

/** Builds a Qwen Code session. A subagent's file is a separate session in which every row is a sidechain row. */
export class QwenCodeBuilder implements SessionBuilder {
  readonly #issues: IssueList;
  readonly #otherRecords = new Tally();
  readonly #calls = new CallIds();
  readonly #entries = new EntryList();
  readonly #tree = new RowTree();
  readonly #compressions: Compression[] = [];

  #sessionId: string | null = null;
  #agentId: string | null = null;
  #agentName: string | null = null;
  #cwd: string | null = null;
  #model: string | null = null;
  #contextWindow: number | null = null;
  #givenTitle: string | null = null;
  #firstText: string | null = null;

  constructor(private readonly file: string) {
    this.#issues = new IssueList(file);
  }

  accept(line: Line): void {
    const reading = readLine(line);
    if (reading.kind === 'blank') return;
    if (reading.kind === 'record') this.#acceptRow(reading.record, line.number);
    else this.#issues.add(line.number, reading.message);
  }

  session(): ParsedSession {
    const { entries, awaitsReply } = contextAt(this.#tree, this.#tree.leaf);
    const parent = parentOf(this.file, this.#agentId, this.#agentName, this.#sessionId);
    return {
      agent: 'qwen-code',
      id: this.#agentId ?? this.#sessionId ?? '',
      file: this.file,
      cwd: this.#cwd,
      title: this.#givenTitle ?? this.#firstText,
      model: this.#model,
      ...(this.#contextWindow === null ? {} : { contextWindow: this.#contextWindow }),
      ...(parent === null ? {} : { parent }),
      issues: this.#issues.list(this.#tree.gaps()),
      otherRecords: this.#otherRecords.counts(),
      conversation: {
        entries: this.#entries.list(),
        agentContext: entries,
        agentCompactions: this.#compressions.map((compression) => compression.record),
        ...(this.#tree.beginsMidway ? { beginsMidway: true as const } : {}),
      },
      awaitsReply,
    };
  }

  #acceptRow(row: JsonRecord, line: number): void {
    this.#noteSession(row);
    const uuid = asName(row.uuid);
    if (uuid === null || !hasPlaceInChain(row)) {
      this.#otherRecords.add(kindOfRow(row));
      return;
    }
    const known = this.#tree.at(uuid);
    if (known !== null)
      this.#issues.add(line, `The id ${uuid} occurs a second time; Qwen Code takes both rows for one`);
    const node = known ?? this.#nodeOf(uuid, row, line);
    const hasContent = this.#addContent(node, row, line, known === null);
    if (!hasContent) this.#otherRecords.add(kindOfRow(row));
    this.#tree.leaf = node;
  }

  #nodeOf(uuid: string, row: JsonRecord, line: number): RowNode {
    const node: RowNode = {
      uuid,
      parentUuid: asName(row.parentUuid),
      place: { id: this.#entries.ids.claim(uuid), timestamp: asName(row.timestamp), origin: { file: this.file, line } },
      speaker: speakerOf(row),
      content: { kind: 'state' },
    };
    this.#tree.add(node);
    return node;
  }

  #noteSession(row: JsonRecord): void {
    this.#sessionId ??= asName(row.sessionId);
    if (row.isSidechain === true) {
      this.#agentId ??= asName(row.agentId);
      this.#agentName ??= asName(row.agentName);
    }
    this.#cwd ??= asName(row.cwd);
    if (row.subtype === 'custom_title') {
      this.#givenTitle = titleOf(asName(asRecord(row.systemPayload)?.customTitle) ?? '') ?? this.#givenTitle;
    }
  }

  /** Returns whether the row has content. The first row of an id decides who speaks. */
  #addContent(node: RowNode, row: JsonRecord, line: number, isFirst: boolean): boolean {
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

  #addReply(node: RowNode, row: JsonRecord, line: number): boolean {
    const { parts } = readContent(asRecord(row.message)?.parts, this.#calls);
    this.#noteModel(row);
    if (parts.length === 0) return false;
    for (const issue of tooDeepIssues(parts, line)) this.#issues.add(issue.line, issue.message);
    const reply = this.#replyOf(node, row);
    reply.add(parts, replyMetadata(row));
    this.#entries.markChanged(reply);
    node.content = { kind: 'reply', reply };
    return true;
  }

  #replyOf(node: RowNode, row: JsonRecord): GrowingEntry {
    if (node.content.kind === 'reply') return node.content.reply;
    const continued = continuedReply(row, this.#tree.at(node.parentUuid));
    return continued ?? this.#entries.addGrowing({ ...node.place, role: 'assistant' });
  }

  #noteModel(row: JsonRecord): void {
    this.#model = asName(row.model) ?? this.#model;
    this.#contextWindow = asCount(row.contextWindowSize) ?? this.#contextWindow;
  }

  #addUserMessage(node: RowNode, speaker: 'person' | 'user' | 'agent', row: JsonRecord): boolean {
    const { parts, results } = readUserContent(asRecord(row.message)?.parts, this.#calls);
    if (parts.length + results.length === 0) return false;
    const byAuthor = partsByAuthor(speaker, parts);
    const message = node.content.kind === 'user' ? node.content.message : new UserMessage(node.place, this.#entries);
    message.add(results, byAuthor);
    node.content = { kind: 'user', message };
    if (byAuthor.person.length > 0) this.#firstText ??= titleOf(textOf(byAuthor.person));
    return true;
  }

  #systemRow(row: JsonRecord, node: RowNode): RowContent {
    if (isCompression(row)) return this.#compression(row, node);
    const payload = asRecord(row.systemPayload);
    const command = asName(payload?.rawCommand);
    const isAnswer = row.subtype === 'slash_command' && payload?.phase === 'result' && payload.sentToModel !== true;
    if (!isAnswer || command === null || !answersAsAssistant(payload.outputHistoryItems)) return { kind: 'state' };
    return { kind: 'answered-command', command };
  }

  /** The cost is linear in the entries since the previous compression, so each entry is visited once. */
  #compression(row: JsonRecord, { place, parentUuid }: RowNode): RowContent {
    const before = contextAt(this.#tree, this.#tree.at(parentUuid)).entries;
    const compression = compressionOf(row, place, before, this.#entries.ids);
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
function continuedReply(row: JsonRecord, parent: RowNode | null): GrowingEntry | null {
  const isContinuation = row.isSidechain === true && row.usageMetadata === undefined && row.agentRound === undefined;
  return isContinuation && parent?.content.kind === 'reply' ? parent.content.reply : null;
}

/** Only a command with such an answer is removed from the context. */
function answersAsAssistant(items: unknown): boolean {
  const list = asList(items);
  return list.length > 0 && list.every((item) => asRecord(item)?.type === 'assistant');
}
