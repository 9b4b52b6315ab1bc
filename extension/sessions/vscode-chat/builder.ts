import type { Entry } from '../../engine/conversation/entry';
import type { SessionBuilder } from '../adapter';
import { append } from '../records/append';
import { IssueList } from '../records/issues';
import { asCount, asList, asName, asRecord, type JsonRecord } from '../records/json';
import { lastWhere } from '../records/last';
import { type Line, readLine } from '../records/line';
import { PairedContext } from '../records/paired-context';
import { Tally } from '../records/tally';
import { titleOf } from '../records/title';
import { UniqueIds } from '../records/unique-ids';
import type { ParsedSession } from '../session';
import { folderAt } from './folder';
import { ChatLines } from './lines';
import { mutate } from './mutations';
import { ChatRequest, type RequestEntries } from './request';
import { WholeFile } from './whole-file';

/** Placeholder for a missing result. */
const missingResult = 'No result: the tool was interrupted before it answered.';

/** Builds a chat of VS Code from its log of changes, or from the single JSON object that versions before 1.109 wrote. */
export class VscodeChatBuilder implements SessionBuilder {
  readonly #issues: IssueList;
  readonly #lines = new ChatLines();
  readonly #whole = new WholeFile();
  #state: JsonRecord | null = null;
  /** By index. */
  #requests: (ChatRequest | null)[] = [];

  constructor(private readonly file: string) {
    this.#issues = new IssueList(file);
  }

  accept(line: Line): void {
    if (this.#whole.takes(line)) return;
    const reading = readLine(line);
    if (reading.kind === 'record') this.#acceptChange(reading.record, line.number);
    else if (reading.kind !== 'blank') this.#issues.add(line.number, reading.message);
  }

  isEnd(line: Line): boolean {
    return this.#whole.isEnd(line);
  }

  session(): ParsedSession {
    const whole = this.#whole.read();
    if (whole.kind === 'chat') this.#begin(whole.state, whole.lineOf, whole.lineOfPart);
    const requests = this.#readRequests();
    const chat = this.#state ?? {};
    const model = lastModel(requests) ?? asName(selectedModel(chat)?.identifier);
    const window = windowOf(chat, lastWhere(requests, ({ modelId }) => modelId !== null)?.modelId ?? model);
    const wholeIssues = whole.kind === 'broken' ? [{ file: this.file, line: whole.line, message: whole.message }] : [];
    return {
      agent: 'vscode-chat',
      id: asName(chat.sessionId) ?? '',
      file: this.file,
      cwd: folderAt(chat.workingDirectory),
      title: asName(chat.customTitle) ?? firstTitle(requests),
      model,
      ...(window === null ? {} : { contextWindow: window }),
      issues: [...this.#issues.list(requests.flatMap(({ issues }) => issues)), ...wholeIssues],
      otherRecords: otherParts(requests),
      ...conversationOf(requests),
    };
  }

  #acceptChange(record: JsonRecord, line: number): void {
    const mutation = mutate(this.#state, record);
    if (mutation.kind === 'refused') this.#issues.add(line, mutation.message);
    else if (mutation.kind === 'began') this.#begin(mutation.state, () => line);
    else this.#lines.note(mutation, asList(this.#state?.requests).length, line);
  }

  #begin(state: JsonRecord, lineOf: (request: number) => number, lineOfPart?: LineOfPart): void {
    if (state === this.#state) return;
    this.#state = state;
    const requests = asList(state.requests);
    this.#lines.begin(requests.length, lineOf);
    if (!lineOfPart) return;
    for (const [index, request] of requests.entries()) {
      for (const part of asList(asRecord(request)?.response).keys()) {
        this.#lines.ofRequest(index)?.notePart(part, lineOfPart(index, part));
      }
    }
  }

  /** The cost of a known request is linear in what was added to it. */
  #readRequests(): RequestEntries[] {
    const before = this.#requests;
    this.#requests = asList(this.#state?.requests).map((request, index) =>
      this.#requestOf(asRecord(request), index, before[index] ?? null),
    );
    return this.#requests.flatMap((request) => (request === null ? [] : [request.read()]));
  }

  #requestOf(request: JsonRecord | null, index: number, before: ChatRequest | null): ChatRequest | null {
    const lines = this.#lines.ofRequest(index);
    if (request === null || !lines) return null;
    return before?.isOf(request, lines) ? before : new ChatRequest(request, { file: this.file, index, lines });
  }
}

type LineOfPart = (request: number, part: number) => number;

/** All entries of the chat. The context has those of requests that were not taken back. */
function conversationOf(requests: readonly RequestEntries[]): Pick<ParsedSession, 'conversation' | 'awaitsReply'> {
  const ids = new UniqueIds();
  const entries: Entry[] = [];
  const context = new PairedContext(missingResult);
  let awaitsReply = false;
  for (const request of requests) {
    const unique = request.entries.map((entry) => withUniqueId(entry, ids));
    append(entries, unique);
    if (!request.isInContext) continue;
    for (const entry of unique) send(entry, context);
    awaitsReply = request.awaitsReply;
  }
  return { conversation: { entries, agentContext: context.end(), agentCompactions: [] }, awaitsReply };
}

function withUniqueId(entry: Entry, ids: UniqueIds): Entry {
  const id = ids.claim(entry.id);
  return id === entry.id ? entry : { ...entry, id };
}

function send(entry: Entry, context: PairedContext): void {
  if (entry.role === 'assistant') context.reply(entry);
  else if (entry.role === 'tool') context.result(entry);
  else context.text(entry);
}

function otherParts(requests: readonly RequestEntries[]): Record<string, number> {
  const tally = new Tally();
  for (const { otherParts } of requests) for (const kind of otherParts) tally.add(kind);
  return tally.counts();
}

function firstTitle(requests: readonly RequestEntries[]): string | null {
  for (const { text } of requests) {
    const title = titleOf(text);
    if (title !== null) return title;
  }
  return null;
}

function lastModel(requests: readonly RequestEntries[]): string | null {
  return lastWhere(requests, ({ model }) => model !== null)?.model ?? null;
}

function selectedModel(chat: JsonRecord): JsonRecord | null {
  return asRecord(asRecord(chat.inputState)?.selectedModel);
}

/** VS Code records the context window only for the model selected for the next message. */
function windowOf(chat: JsonRecord, modelId: string | null): number | null {
  const selected = selectedModel(chat);
  const input = asCount(asRecord(selected?.metadata)?.maxInputTokens);
  return input !== null && input > 0 && asName(selected?.identifier) === modelId ? input : null;
}
