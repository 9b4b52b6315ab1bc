import { type Entry, type Part, textOf } from '../../engine/conversation/entry';
import type { Line, ParsedSession, SessionBuilder } from '../adapter';
import { CallIds } from '../gemini-content/call-ids';
import { readContent } from '../gemini-content/content';
import { saidParts } from '../gemini-content/said';
import { append } from '../records/append';
import { IssueList } from '../records/issues';
import { asCount, asList, asName, asRecord, type JsonRecord } from '../records/json';
import { readLine } from '../records/line';
import { Tally } from '../records/tally';
import { titleOf } from '../records/title';
import { tooDeepIssues } from '../records/tool-input';
import { UniqueIds } from '../records/unique-ids';
import { type Compression, compressionOf, isCompression } from './compression';
import { contextAt } from './context';
import { Reply } from './reply';
import { hasPlaceInChain, isInjected, kindOfRow } from './row-kinds';
import type { EntryPlace, RowContent, RowNode } from './rows';
import { parentOf } from './subagents';

const noContent: RowContent = { kind: 'state' };

/** Builds a Qwen Code session. A subagent's file is a session of its own, in which every row is a sidechain row. */
export class QwenCodeBuilder implements SessionBuilder {
  readonly #issues: IssueList;
  readonly #otherRecords = new Tally();
  readonly #ids = new UniqueIds();
  readonly #calls = new CallIds();

  /** In file order. A reply stands where its first row stood and is put in its place when it has grown. */
  readonly #entries: Entry[] = [];
  readonly #grown = new Set<Reply>();
  readonly #nodes = new Map<string, RowNode>();
  readonly #compressions: Compression[] = [];

  /** The newest row of the chain. The request is made of the rows from here to the root. */
  #leaf: RowNode | null = null;
  #beginsMidway = false;
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
    for (const reply of this.#grown) this.#entries[reply.position] = reply.entry;
    this.#grown.clear();
    const { entries, awaitsReply } = contextAt(this.#leaf);
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
      issues: this.#issues.list(),
      otherRecords: this.#otherRecords.counts(),
      conversation: {
        entries: this.#entries.slice(),
        agentContext: entries,
        agentCompactions: this.#compressions.map((compression) => compression.record),
        ...(this.#beginsMidway ? { beginsMidway: true as const } : {}),
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
    const parent = this.#parentOf(row, line);
    const place = this.#placeOf(uuid, row, line);
    const content = this.#contentOf(row, place, parent);
    if (content.kind === 'state' || content.kind === 'answered-command') this.#otherRecords.add(kindOfRow(row));
    this.#leaf = { uuid, parent, content };
    this.#nodes.set(uuid, this.#leaf);
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

  /** Where Qwen Code does not find the row before, it sends nothing from before. */
  #parentOf(row: JsonRecord, line: number): RowNode | null {
    const uuid = asName(row.parentUuid);
    if (uuid === null) return null;
    const parent = this.#nodes.get(uuid);
    if (parent !== undefined) return parent;
    if (this.#leaf === null) this.#beginsMidway = true;
    this.#issues.add(line, 'The row before this one is not in this file; Qwen Code would send nothing from before it');
    return null;
  }

  #placeOf(uuid: string, row: JsonRecord, line: number): EntryPlace {
    if (this.#nodes.has(uuid)) this.#issues.add(line, `The id ${uuid} occurs a second time; both rows are shown`);
    return {
      id: this.#ids.claim(uuid),
      timestamp: asName(row.timestamp),
      origin: { file: this.file, line },
    };
  }

  #contentOf(row: JsonRecord, place: EntryPlace, parent: RowNode | null): RowContent {
    switch (row.type) {
      case 'assistant':
        return row.subtype === 'realtime_message' ? noContent : this.#reply(row, place, parent);
      case 'user':
      case 'tool_result':
        return row.subtype === 'realtime_message' ? noContent : this.#said(row, place);
      default:
        return this.#systemRow(row, place, parent);
    }
  }

  #reply(row: JsonRecord, place: EntryPlace, parent: RowNode | null): RowContent {
    const { parts } = readContent(asRecord(row.message)?.parts, this.#calls);
    this.#noteModel(row);
    if (parts.length === 0) return noContent;
    for (const { line, message } of tooDeepIssues(parts, place.origin.line)) this.#issues.add(line, message);
    const reply = continuedReply(row, parent) ?? this.#newReply(place);
    reply.add(row, parts);
    this.#grown.add(reply);
    return { kind: 'reply', reply };
  }

  #newReply(place: EntryPlace): Reply {
    const reply = new Reply(place, this.#entries.length);
    this.#entries.push(reply.entry);
    return reply;
  }

  #noteModel(row: JsonRecord): void {
    this.#model = asName(row.model) ?? this.#model;
    this.#contextWindow = asCount(row.contextWindowSize) ?? this.#contextWindow;
  }

  #said(row: JsonRecord, place: EntryPlace): RowContent {
    const { parts, results } = readContent(asRecord(row.message)?.parts, this.#calls);
    const answers = results.map(({ result, images }, index): Entry => {
      const id = index === 0 ? place.id : this.#ids.claim(`${place.id}:${index + 1}`);
      return { ...place, id, role: 'tool', parts: [result, ...images] };
    });
    const said = isInjected(row)
      ? this.#texts(place, answers.length, { before: parts, person: [], after: [] })
      : this.#texts(place, answers.length, saidParts(parts));
    append(this.#entries, answers);
    append(this.#entries, said);
    return answers.length + said.length === 0 ? noContent : { kind: 'said', results: answers, said };
  }

  /** The row's own id is that of its first result, else of what the person said, else of what the agent did. */
  #texts(place: EntryPlace, results: number, { before, person, after }: ReturnType<typeof saidParts>): Entry[] {
    const texts: Entry[] = [];
    let ownIdIsFree = results === 0;
    const add = (parts: readonly Part[], suffix: string, isOwner: boolean, injected: boolean): void => {
      if (parts.length === 0) return;
      const id = ownIdIsFree && isOwner ? place.id : this.#ids.claim(`${place.id}:${suffix}`);
      if (id === place.id) ownIdIsFree = false;
      texts.push({ ...place, id, role: 'user', parts, ...(injected ? { injected: true as const } : {}) });
    };
    add(before, 'before', person.length === 0, true);
    add(person, 'text', true, false);
    add(after, 'after', person.length === 0, true);
    if (person.length > 0) this.#firstText ??= titleOf(textOf(person));
    return texts;
  }

  #systemRow(row: JsonRecord, place: EntryPlace, parent: RowNode | null): RowContent {
    if (isCompression(row)) return this.#compression(row, place, parent);
    const payload = asRecord(row.systemPayload);
    const command = asName(payload?.rawCommand);
    const isAnswer = row.subtype === 'slash_command' && payload?.phase === 'result' && payload.sentToModel !== true;
    if (!isAnswer || command === null || !answersAsAssistant(payload.outputHistoryItems)) return noContent;
    return { kind: 'answered-command', command };
  }

  /** Costs as much as what was said since the compression before, and each stretch is walked once. */
  #compression(row: JsonRecord, place: EntryPlace, parent: RowNode | null): RowContent {
    const before = contextAt(parent).entries;
    const compression = compressionOf(row, place, before, (id) => this.#ids.claim(id));
    append(this.#entries, compression.added);
    this.#compressions.push(compression);
    return { kind: 'compression', compression };
  }
}

/** A subagent's file has the text of a reply, with its usage, in one row and each of its calls in a row behind it. */
function continuedReply(row: JsonRecord, parent: RowNode | null): Reply | null {
  const isContinuation = row.isSidechain === true && row.usageMetadata === undefined && row.agentRound === undefined;
  return isContinuation && parent?.content.kind === 'reply' ? parent.content.reply : null;
}

/** Only such an answer takes the command back out of what is sent. */
function answersAsAssistant(items: unknown): boolean {
  const list = asList(items);
  return list.length > 0 && list.every((item) => asRecord(item)?.type === 'assistant');
}
