import type { Conversation } from '../../engine/conversation/conversation';
import { type Entry, type Origin, type Part, textOf } from '../../engine/conversation/entry';
import type { SessionBuilder } from '../adapter';
import { IssueList } from '../records/issues';
import { asName, asRecord, type JsonRecord } from '../records/json';
import { type Line, readLine } from '../records/line';
import { Tally } from '../records/tally';
import { tooDeepIssues } from '../records/tool-input';
import { UniqueIds } from '../records/unique-ids';
import type { ParsedSession } from '../session';
import { compactionsAt } from './agent-compactions';
import { attachmentOf } from './attachments';
import { boundaryOf, clearingOf } from './compactions';
import { resultParts, userContent } from './content';
import { contextAt } from './context';
import { authorOf } from './person';
import { Reply, syntheticModel } from './reply';
import { ReplyEnds } from './reply-ends';
import type { CompactionRecord, ResultNode, RowContent, RowNode } from './rows';
import { parentOf } from './subagents';
import { type PromptRecord, promptEntry, promptOfShape, promptOfSnapshot, SystemPrompt } from './system-prompt';
import { SessionTitle } from './title';

/** Where a record stands, and what it is known by. */
interface RowPlace {
  /** The row's own uuid, which other rows name it by. */
  readonly uuid: string;
  /** The same, unless an earlier row has it: unique among the entries. */
  readonly id: string;
  readonly timestamp: string | null;
  readonly origin: Origin;
}

const noContent: RowContent = { kind: 'state' };
const turnEnds = new Set(['stop_hook_summary', 'turn_duration']);

/**
 * Builds a Claude Code session. A subagent's file is a session of its own, in which every row is a sidechain row; older
 * versions wrote a subagent's rows, without its id, among those of the session that started it.
 */
export class ClaudeCodeBuilder implements SessionBuilder {
  readonly #issues: IssueList;
  readonly #otherRecords = new Tally();
  readonly #ids = new UniqueIds();
  readonly #title = new SessionTitle();
  readonly #prompt = new SystemPrompt();

  /** In file order. A reply stands where its first row stood and is put in its place when it has grown. */
  readonly #entries: Entry[] = [];
  readonly #grown = new Set<Reply>();
  readonly #nodes = new Map<string, RowNode>();
  readonly #replies = new Map<string, Reply>();
  readonly #replyEnds = new ReplyEnds();
  readonly #callNames = new Map<string, string>();
  /** The newest compaction with a summary, on whatever branch: the summary is the row after it. */
  #newestSummary: CompactionRecord | null = null;

  /** The first row names one before it that is not in the file. */
  #beginsMidway = false;
  /** The newest row of the chain, which a row whose parent is not in the file is taken to follow. */
  #newest: RowNode | null = null;
  /** The newest row that adds to the conversation. The request is made of the rows from here to the root. */
  #leaf: RowNode | null = null;
  #isSubagent: boolean | null = null;
  #brokenLines = 0;
  #sessionId: string | null = null;
  #agentId: string | null = null;
  #cwd: string | null = null;
  #model: string | null = null;

  constructor(private readonly file: string) {
    this.#issues = new IssueList(file);
  }

  accept(line: Line): void {
    const reading = readLine(line);
    switch (reading.kind) {
      case 'blank':
        return;
      case 'broken':
      case 'no-object':
        this.#brokenLines += 1;
        this.#issues.add(line.number, reading.message);
        return;
      case 'record':
        this.#acceptRecord(reading.record, line.number);
    }
  }

  session(): ParsedSession {
    this.#putGrownReplies();
    const context = contextAt(this.#leaf);
    const prompt = this.#prompt.position === null ? undefined : this.#entries[this.#prompt.position];
    const conversation: Conversation = {
      entries: this.#entries.slice(),
      agentContext: prompt === undefined ? context.entries : [prompt, ...context.entries],
      agentCompactions: compactionsAt(this.#leaf, (uuid) => this.#nodes.get(uuid)),
      ...(this.#beginsMidway ? { beginsMidway: true as const } : {}),
    };
    return {
      agent: 'claude-code',
      id: (this.#isSubagent ? this.#agentId : this.#sessionId) ?? '',
      file: this.file,
      cwd: this.#cwd,
      title: this.#title.title((uuid) => this.#nodes.has(uuid)),
      model: this.#model,
      issues: this.#issues.list(),
      otherRecords: this.#otherRecords.counts(),
      conversation,
      awaitsReply: context.awaitsReply,
      ...(this.#isSubagent ? { parent: parentOf(this.file, this.#sessionId) } : {}),
    };
  }

  #acceptRecord(record: JsonRecord, line: number): void {
    this.#sessionId ??= asName(record.sessionId);
    this.#agentId ??= asName(record.agentId);
    this.#cwd ??= asName(record.cwd);
    this.#title.noteRecord(record);
    const type = asName(record.type) ?? 'no type';
    if (type === 'api-request-shape') this.#notePrompt(promptOfShape(record), record, line);
    else if (hasPlaceInTree(record, type)) this.#acceptRow(record, type, line);
    else this.#otherRecords.add(type);
  }

  #acceptRow(row: JsonRecord, type: string, line: number): void {
    const isSidechain = row.isSidechain === true;
    this.#isSubagent ??= isSidechain && asName(row.agentId) !== null;
    if (isSidechain && !this.#isSubagent) {
      this.#otherRecords.add('sidechain');
      return;
    }
    const place = this.#placeOf(row, line);
    const content = this.#contentOf(row, type, place);
    if (content.kind === 'state') this.#otherRecords.add(kindOfState(row, type));
    const node = nodeOf(place.uuid, this.#parentOf(row, line), content);
    if (content.kind === 'results') for (const result of content.results) node.parent?.reply?.noteResult(result);
    if (turnEnds.has(asName(row.subtype) ?? '')) this.#noteTurnEnd(node, row);
    this.#nodes.set(place.uuid, node);
    this.#newest = node;
    if (content.kind !== 'state') this.#leaf = node;
  }

  /** Both are written when a turn is over; the time it took only when that was long. */
  #noteTurnEnd(node: RowNode, row: JsonRecord): void {
    node.parent?.reply?.noteEnd();
    if (row.subtype === 'stop_hook_summary') this.#replyEnds.noteTurn();
  }

  #placeOf(row: JsonRecord, line: number): RowPlace {
    const uuid = asName(row.uuid) ?? `line-${line}`;
    const isCopy = this.#nodes.has(uuid);
    if (isCopy) this.#issues.add(line, `The id ${uuid} occurs a second time; both rows are shown`);
    // The copy's number makes an id that no row can refer to, so the tree goes on from the newest row of that uuid.
    const id = this.#ids.claim(uuid);
    return { uuid, id, timestamp: asName(row.timestamp), origin: { file: this.file, line } };
  }

  /**
   * A parent that is not in the file was cut off (at its start) or stands on a broken line. Claude Code then goes on
   * from the row before, and so does this.
   */
  #parentOf(row: JsonRecord, line: number): RowNode | null {
    if (row.parentUuid === null) return null;
    const uuid = asName(row.parentUuid);
    const parent = uuid === null ? undefined : this.#nodes.get(uuid);
    if (parent !== undefined) return parent;
    if (this.#newest === null) this.#beginsMidway = true;
    if (uuid !== null && this.#brokenLines === 0) this.#issues.add(line, this.#missingParent());
    return this.#newest;
  }

  #missingParent(): string {
    return this.#newest === null
      ? 'The session began before this row; the rows before it are not in this file'
      : 'The row before this one in the conversation is not in this file; it is shown after the row above';
  }

  #contentOf(row: JsonRecord, type: string, place: RowPlace): RowContent {
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

  #replyRow(row: JsonRecord, place: RowPlace): RowContent {
    const message = asRecord(row.message);
    if (message === null) return noContent;
    const reply = this.#replyOf(row, message, place);
    const calls = reply.add(place.uuid, message);
    for (const call of calls) this.#callNames.set(call.callId, call.name);
    for (const { line, message: text } of tooDeepIssues(calls, place.origin.line)) this.#issues.add(line, text);
    this.#grown.add(reply);
    const model = asName(message.model);
    if (model !== null && model !== syntheticModel) this.#model = model;
    return { kind: 'reply', reply };
  }

  #replyOf(row: JsonRecord, message: JsonRecord, place: RowPlace): Reply {
    const messageId = asName(message.id) ?? place.id;
    const isCopy = place.id !== place.uuid;
    const begun = isCopy ? undefined : this.#replies.get(messageId);
    if (begun !== undefined) return begun;
    const sent = row.isApiErrorMessage !== true;
    const reply = new Reply(place.id, this.#entries.length, sent, place.timestamp, place.origin, this.#replyEnds);
    if (!isCopy) this.#replies.set(messageId, reply);
    this.#entries.push(reply.entry);
    return reply;
  }

  #userRow(row: JsonRecord, place: RowPlace): RowContent {
    const { results, parts } = userContent(asRecord(row.message)?.content);
    if (results.length === 0 && parts.length === 0) return noContent;
    const author = authorOf(row, parts);
    const nodes = results.map((result, index): ResultNode => {
      const id = index === 0 ? place.id : this.#ids.claim(`${place.id}:${index + 1}`);
      const entry = this.#add(place, id, 'tool', resultParts(result, this.#callNames.get(result.callId) ?? null));
      return { callId: result.callId, uuid: place.uuid, entry };
    });
    if (parts.length === 0) return { kind: 'results', results: nodes, said: null, author };
    const id = nodes.length === 0 ? place.id : this.#ids.claim(`${place.id}:text`);
    const said = this.#add(place, id, 'user', parts, {
      ...(author === 'person' ? {} : { injected: true }),
      ...(row.isCompactSummary === true ? { summary: true } : {}),
    });
    if (said.summary) this.#noteSummary(said.id);
    if (author === 'person') this.#title.notePersonText(textOf(parts));
    return nodes.length === 0
      ? { kind: 'said', entry: said, author }
      : { kind: 'results', results: nodes, said, author };
  }

  #attachmentRow(row: JsonRecord, place: RowPlace): RowContent {
    const data = asRecord(row.attachment);
    if (data?.type === 'prompt_snapshot') {
      this.#notePrompt(promptOfSnapshot(data), row, place.origin.line);
      return noContent;
    }
    const attachment = attachmentOf(row);
    if (attachment === null) return noContent;
    const { role, parts, fromPerson } = attachment;
    const entry = this.#add(place, place.id, role, parts, role === 'user' && !fromPerson ? { injected: true } : {});
    return { kind: 'attached', entry, author: fromPerson ? 'person' : 'agent' };
  }

  #systemRow(row: JsonRecord, place: RowPlace): RowContent {
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

  #boundaryRow(row: JsonRecord, place: RowPlace): RowContent {
    const logicalParent = this.#nodes.get(asName(row.logicalParentUuid) ?? '');
    const before = logicalParent ?? this.#leaf;
    const boundary = boundaryOf(row, { ...place, before }, (uuid) => this.#nodes.get(uuid));
    const { missing } = boundary.preserved;
    if (missing > 0)
      this.#issues.add(place.origin.line, `${missing} of the rows this compaction kept are not in this file`);
    const older = before?.compaction ?? null;
    const record: CompactionRecord = {
      id: place.id,
      kind: 'summary',
      older,
      boundary,
      summaryEntryId: null,
      replacedEntryIds: null,
    };
    this.#newestSummary = record;
    return { kind: 'boundary', boundary, record };
  }

  #clearingRow(row: JsonRecord, place: RowPlace): RowContent {
    const clearing = clearingOf(row, { ...place, before: this.#leaf });
    const older = this.#leaf?.compaction ?? null;
    const record: CompactionRecord = { id: place.id, kind: 'cleared', older, clearing, replacedEntryIds: null };
    return { kind: 'clearing', clearing, record };
  }

  /** Output of a command in Claude Code's own prompt: kept as a system row, sent as text of the user role. */
  #commandRow(row: JsonRecord, place: RowPlace): RowContent {
    const { parts } = userContent(row.content);
    if (parts.length === 0) return noContent;
    return { kind: 'said', entry: this.#add(place, place.id, 'user', parts, { injected: true }), author: 'agent' };
  }

  #add(
    place: RowPlace,
    id: string,
    role: Entry['role'],
    parts: readonly Part[],
    marks: Pick<Entry, 'injected' | 'summary'> = {},
  ): Entry {
    const entry: Entry = { id, role, parts, timestamp: place.timestamp, origin: place.origin, ...marks };
    this.#entries.push(entry);
    return entry;
  }

  #notePrompt(prompt: PromptRecord | null, record: JsonRecord, line: number): void {
    if (prompt === null) return;
    const change = this.#prompt.note(prompt, this.#entries.length);
    const { position } = this.#prompt;
    if (change === 'known' || position === null) return;
    const id = this.#entries[position]?.id ?? this.#ids.claim('system-prompt');
    this.#entries[position] = promptEntry(id, prompt, asName(record.timestamp), { file: this.file, line });
  }

  #noteSummary(entryId: string): void {
    const newest = this.#newestSummary;
    if (newest?.kind === 'summary') newest.summaryEntryId ??= entryId;
  }

  #putGrownReplies(): void {
    for (const reply of this.#grown) this.#entries[reply.position] = reply.entry;
    this.#grown.clear();
  }
}

function nodeOf(uuid: string, parent: RowNode | null, content: RowContent): RowNode {
  const isCompaction = content.kind === 'boundary' || content.kind === 'clearing';
  const compaction = isCompaction ? content.record : (parent?.compaction ?? null);
  return { uuid, parent, content, reply: replyBefore(parent, content), compaction };
}

function replyBefore(parent: RowNode | null, content: RowContent): RowNode['reply'] {
  if (content.kind === 'reply') return content.reply;
  return content.kind === 'state' || content.kind === 'attached' ? (parent?.reply ?? null) : null;
}

/** Rows of the conversation and whatever else names a parent, such as progress, which older versions chain them by. */
function hasPlaceInTree(record: JsonRecord, type: string): boolean {
  if ((type === 'user' || type === 'assistant') && asRecord(record.message) !== null) return true;
  return asName(record.uuid) !== null && record.parentUuid !== undefined;
}

function kindOfState(row: JsonRecord, type: string): string {
  const kind = asName(type === 'attachment' ? asRecord(row.attachment)?.type : row.subtype);
  return kind === null ? type : `${type}/${kind}`;
}
