import type { Conversation } from '../../../engine/conversation/conversation';
import { type Entry, type Origin, type Part, textOf } from '../../../engine/conversation/entry';
import { type LocalizableText, localizable } from '../../../engine/wording/localizable-text';
import * as s from '../../../platform/json/schemas';
import { injectedMarks } from '../../../sessions/injected/marks';
import { personText } from '../../../sessions/injected/split-by-author';
import { LineSession, type SessionContent, type Unreadable } from '../../../sessions/records/line-session';
import { attachmentOf } from './attachments';
import { boundaryOf, clearingOf, compactionsAt } from './compactions';
import { toolResultParts, userContent } from './content';
import { contextAt } from './context';
import { MessageQueue } from './message-queue';
import { authorOf } from './person';
import { Reply, type ReplyMessage, type ResultNode, replyMessage, syntheticModel } from './reply';
import { ReplyEnds } from './reply-ends';
import { type Boundary, nodeOf, type RowContent, type RowNode } from './rows';
import { parentOf } from './subagents';
import { type PromptRecord, promptEntry, promptOfShape, promptOfSnapshot, SystemPrompt } from './system-prompt';
import { SessionTitle } from './title';
import { isInTree, kindOfState } from './tree-row';
import { workingWindow } from './working-window';

/** The position and the ids of a row. */
interface RowPlace {
  /** The row's own uuid, by which other rows refer to it. */
  readonly uuid: string;
  /** Unique among the entries: the uuid, with a suffix if an earlier row has the same one. */
  readonly id: string;
  readonly timestamp: string | null;
  readonly origin: Origin;
}

const anyRecord = s.record({ type: s.name, sessionId: s.name, agentId: s.name, cwd: s.name, gitBranch: s.name });
const treeRow = s.record({
  uuid: s.name,
  parentUuid: s.anything,
  timestamp: s.name,
  subtype: s.text,
  agentId: s.name,
  isSidechain: s.flag,
});
type TreeRow = s.Read<typeof treeRow>;
const userRow = s.record({ message: s.record({ content: s.anything }), isCompactSummary: s.flag });
const replyRow = s.record({ message: s.jsonRecord, isApiErrorMessage: s.flag });
const boundaryParent = s.record({ logicalParentUuid: s.text });

const noContent: RowContent = { kind: 'state' };
const turnEnds = new Set(['stop_hook_summary', 'turn_duration']);

/**
 * Builds a Claude Code session. A subagent's file is a separate session in which every row is a sidechain row. Older
 * versions wrote a subagent's rows, without its id, into the file of its parent session.
 */
export class ClaudeCodeBuilder extends LineSession {
  readonly #title = new SessionTitle();
  readonly #prompt = new SystemPrompt();
  readonly #queue = new MessageQueue();

  /** In file order. A reply stays at the position of its first row; its entry is replaced when the reply grows. */
  readonly #entries: Entry[] = [];
  readonly #grown = new Set<Reply>();
  readonly #nodes = new Map<string, RowNode>();
  readonly #replies = new Map<string, Reply>();
  readonly #replyEnds = new ReplyEnds();
  readonly #callNames = new Map<string, string>();
  /** The newest compaction with a summary, on any branch. The summary is the row after it. */
  #newestSummary: Boundary | null = null;

  /** The first row refers to an earlier row that is not in the file. */
  #beginsMidway = false;
  /** The row that the first one follows, in another file. */
  #rowBefore: string | null = null;
  /** The newest row of the tree. A row whose parent is not in the file follows it. */
  #newest: RowNode | null = null;
  /** The newest row with content. The request consists of the rows from the root to it. */
  #leaf: RowNode | null = null;
  #isSubagent: boolean | null = null;
  #brokenLines = 0;
  #agentId: string | null = null;

  constructor(file: string) {
    super('claude-code', file);
  }

  protected override acceptUnreadable(reading: Unreadable, line: number): void {
    super.acceptUnreadable(reading, line);
    this.#brokenLines += 1;
  }

  protected content(): SessionContent {
    this.#putGrownReplies();
    const context = contextAt(this.#leaf);
    const prompt = this.#prompt.position === null ? undefined : this.#entries[this.#prompt.position];
    const conversation: Conversation = {
      entries: this.#entries.slice(),
      agentContext: prompt === undefined ? context.entries : [prompt, ...context.entries],
      agentCompactions: compactionsAt(this.#leaf, (uuid) => this.#nodes.get(uuid)),
      ...(this.#beginsMidway ? { beginsMidway: true } : {}),
    };
    return {
      title: this.#title.title((uuid) => this.#nodes.has(uuid)),
      conversation,
      ...workingWindow(conversation, this.model),
      awaitsReply: context.awaitsReply,
      ...(this.#rowBefore === null || this.#isSubagent
        ? {}
        : { predecessor: { id: '', file: null, title: null, mark: `"uuid":"${this.#rowBefore}"` } }),
      ...(this.#isSubagent ? { id: this.#agentId ?? '', parent: parentOf(this.file, this.sessionId) } : {}),
    };
  }

  protected acceptRecord(record: s.JsonRecord, line: number): void {
    const fields = s.read(anyRecord, record);
    this.sessionId ??= fields.sessionId;
    this.#agentId ??= fields.agentId;
    this.cwd ??= fields.cwd;
    this.branch = fields.gitBranch ?? this.branch;
    this.#title.noteRecord(record);
    const type = fields.type ?? 'no type';
    if (type === 'api-request-shape') this.#notePrompt(promptOfShape(record), record, line);
    else if (isInTree(record)) this.#acceptRow(record, type, line);
    else {
      if (type === 'queue-operation') this.#queue.note(record, line);
      this.otherRecords.add(type);
    }
  }

  #acceptRow(row: s.JsonRecord, type: string, line: number): void {
    const fields = s.read(treeRow, row);
    this.#isSubagent ??= fields.isSidechain && fields.agentId !== null;
    if (fields.isSidechain && !this.#isSubagent) {
      this.otherRecords.add('sidechain');
      return;
    }
    const place = this.#placeOf(fields, line);
    const parent = this.#parentOf(fields, line);
    const before = type === 'assistant' && this.#queue.hasUnsaid ? this.#unsaidBefore(row, parent) : parent;
    const content = this.#contentOf(row, type, place);
    if (content.kind === 'state') this.otherRecords.add(kindOfState(row, type));
    const node = nodeOf(place.uuid, before, content);
    if (content.kind === 'results') for (const result of content.results) node.parent?.reply?.noteResult(result);
    if (turnEnds.has(fields.subtype)) this.#noteTurnEnd(node, fields.subtype);
    this.#nodes.set(place.uuid, node);
    this.#newest = node;
    if (content.kind !== 'state') this.#leaf = node;
  }

  /** Both rows are written at the end of a turn; the duration only after a long turn. */
  #noteTurnEnd(node: RowNode, subtype: string): void {
    node.parent?.reply?.noteEnd();
    if (subtype === 'stop_hook_summary') this.#replyEnds.noteTurn();
  }

  #placeOf(row: TreeRow, line: number): RowPlace {
    const uuid = row.uuid ?? `line-${line}`;
    const isCopy = this.#nodes.has(uuid);
    if (isCopy) this.issues.add(line, localizable('The id {0} occurs a second time; both rows are shown', uuid));
    // No row can refer to the id of the copy, so children of this uuid follow its newest row.
    const id = this.ids.claim(uuid);
    return { uuid, id, timestamp: row.timestamp, origin: { file: this.file, line } };
  }

  /**
   * A parent that is not in the file was cut off (at the start of the file) or is on a broken line. Claude Code then
   * continues from the previous row, and so does Strata.
   */
  #parentOf({ parentUuid }: TreeRow, line: number): RowNode | null {
    if (parentUuid === null) return null;
    const uuid = s.read(s.name, parentUuid);
    const parent = uuid === null ? undefined : this.#nodes.get(uuid);
    if (parent !== undefined) return parent;
    if (this.#newest === null) {
      this.#beginsMidway = true;
      this.#rowBefore = uuid;
    }
    if (uuid !== null && this.#brokenLines === 0) this.issues.add(line, this.#missingParent());
    return this.#newest;
  }

  #missingParent(): LocalizableText {
    return this.#newest === null
      ? localizable('The session began before this row; the rows before it are not in this file')
      : localizable('The row before this one in the conversation is not in this file; it is shown after the row above');
  }

  #contentOf(row: s.JsonRecord, type: string, place: RowPlace): RowContent {
    switch (type) {
      case 'assistant':
        return this.#replyRow(row, place);
      case 'user':
        return this.#userRow(row, place);
      case 'attachment':
        return this.#attachmentRow(row, place);
      case 'system':
        return this.#systemRow(row, place);
      default:
        return noContent;
    }
  }

  /** Inserts queued messages that no row contains: they were sent before the reply that starts with this row. */
  #unsaidBefore(row: s.JsonRecord, parent: RowNode | null): RowNode | null {
    const { message } = s.read(replyRow, row);
    if (message === null || this.#replies.has(s.read(replyMessage, message).id ?? '')) return parent;
    return this.#queue.takeUnsaid().reduce<RowNode | null>((before, { parts, timestamp, line }) => {
      const uuid = `line-${line}`;
      const place = { uuid, id: this.ids.claim(uuid), timestamp, origin: { file: this.file, line } };
      const entry = this.#add(place, place.id, 'user', parts);
      return nodeOf(uuid, before, { kind: 'attached', entry, author: 'person' });
    }, parent);
  }

  #replyRow(row: s.JsonRecord, place: RowPlace): RowContent {
    const { message: found, isApiErrorMessage } = s.read(replyRow, row);
    if (found === null) return noContent;
    const message = s.read(replyMessage, found);
    const reply = this.#replyOf(message, place, !isApiErrorMessage);
    const calls = reply.add(place.uuid, message);
    for (const call of calls) this.#callNames.set(call.callId, call.name);
    this.noteTooDeep(calls, place.origin.line);
    this.#grown.add(reply);
    if (message.model !== null && message.model !== syntheticModel) this.model = message.model;
    return { kind: 'reply', reply };
  }

  #replyOf(message: ReplyMessage, place: RowPlace, sent: boolean): Reply {
    const messageId = message.id ?? place.id;
    const isCopy = place.id !== place.uuid;
    const begun = isCopy ? undefined : this.#replies.get(messageId);
    if (begun !== undefined) return begun;
    const reply = new Reply(place.id, this.#entries.length, sent, place.timestamp, place.origin, this.#replyEnds);
    if (!isCopy) this.#replies.set(messageId, reply);
    this.#entries.push(reply.entry);
    return reply;
  }

  #userRow(row: s.JsonRecord, place: RowPlace): RowContent {
    const { message, isCompactSummary } = s.read(userRow, row);
    const { results, parts } = userContent(message.content);
    if (results.length === 0 && parts.length === 0) return noContent;
    if (parts.length > 0) this.#queue.noteUserText(textOf(parts));
    const author = authorOf(row, parts);
    const nodes = results.map((result, index): ResultNode => {
      const id = index === 0 ? place.id : this.ids.claim(`${place.id}:${index + 1}`);
      const entry = this.#add(place, id, 'tool', toolResultParts(result, this.#callNames.get(result.callId) ?? null));
      return { callId: result.callId, uuid: place.uuid, entry };
    });
    if (parts.length === 0) return { kind: 'results', results: nodes, said: null, author };
    const id = nodes.length === 0 ? place.id : this.ids.claim(`${place.id}:text`);
    const said = this.#add(place, id, 'user', parts, {
      ...(author === 'person' ? {} : injectedMarks(parts)),
      ...(isCompactSummary ? { summary: true } : {}),
    });
    if (said.summary) this.#noteSummary(said.id);
    if (author === 'person') this.#title.notePersonText(personText(parts));
    else this.#title.noteAgentText(textOf(parts));
    return nodes.length === 0
      ? { kind: 'said', entry: said, author }
      : { kind: 'results', results: nodes, said, author };
  }

  #attachmentRow(row: s.JsonRecord, place: RowPlace): RowContent {
    const data = s.read(s.jsonRecord, row.attachment);
    if (data?.type === 'prompt_snapshot') {
      this.#notePrompt(promptOfSnapshot(data), row, place.origin.line);
      return noContent;
    }
    const attachment = attachmentOf(row);
    if (attachment === null) return noContent;
    const { role, parts, fromPerson } = attachment;
    if (data?.type === 'queued_command') this.#queue.noteQueuedCommand(textOf(parts));
    const entry = this.#add(place, place.id, role, parts, role === 'user' && !fromPerson ? injectedMarks(parts) : {});
    return { kind: 'attached', entry, author: fromPerson ? 'person' : 'agent' };
  }

  #systemRow(row: s.JsonRecord, place: RowPlace): RowContent {
    switch (row.subtype) {
      case 'compact_boundary':
        return this.#boundaryRow(row, place);
      case 'microcompact_boundary':
        return this.#clearingRow(row, place);
      case 'local_command':
        return this.#commandRow(row, place);
      default:
        return noContent;
    }
  }

  #boundaryRow(row: s.JsonRecord, place: RowPlace): RowContent {
    const { logicalParentUuid } = s.read(boundaryParent, row);
    const logicalParent = this.#nodes.get(logicalParentUuid);
    // A compacted session may continue in a new file that begins with the boundary.
    if (this.#newest === null && logicalParentUuid !== '') this.#rowBefore ??= logicalParentUuid;
    const before = logicalParent ?? this.#leaf;
    const boundary = boundaryOf(row, { ...place, before }, (uuid) => this.#nodes.get(uuid));
    const { missing } = boundary.preserved;
    if (missing > 0)
      this.issues.add(
        place.origin.line,
        localizable('{0} of the rows this compaction kept are not in this file', missing),
      );
    this.#newestSummary = boundary;
    return { kind: 'compaction', compaction: boundary };
  }

  #clearingRow(row: s.JsonRecord, place: RowPlace): RowContent {
    return { kind: 'compaction', compaction: clearingOf(row, { ...place, before: this.#leaf }) };
  }

  /** Output of a command in Claude Code's own prompt: a system row that is sent as text in the user role. */
  #commandRow(row: s.JsonRecord, place: RowPlace): RowContent {
    const { parts } = userContent(row.content);
    if (parts.length === 0) return noContent;
    return { kind: 'said', entry: this.#add(place, place.id, 'user', parts, { injected: true }), author: 'agent' };
  }

  #add(
    place: RowPlace,
    id: string,
    role: Entry['role'],
    parts: readonly Part[],
    marks: Pick<Entry, 'injected' | 'standing' | 'summary'> = {},
  ): Entry {
    const entry: Entry = { id, role, parts, timestamp: place.timestamp, origin: place.origin, ...marks };
    this.#entries.push(entry);
    return entry;
  }

  #notePrompt(prompt: PromptRecord | null, record: s.JsonRecord, line: number): void {
    if (prompt === null) return;
    const change = this.#prompt.note(prompt, this.#entries.length);
    const { position } = this.#prompt;
    if (change === 'known' || position === null) return;
    const id = this.#entries[position]?.id ?? this.ids.claim('system-prompt');
    this.#entries[position] = promptEntry(id, prompt, s.read(s.name, record.timestamp), { file: this.file, line });
  }

  #noteSummary(entryId: string): void {
    if (this.#newestSummary !== null) this.#newestSummary.summaryEntryId ??= entryId;
  }

  #putGrownReplies(): void {
    for (const reply of this.#grown) this.#entries[reply.position] = reply.entry;
    this.#grown.clear();
  }
}
