import type { Entry } from '../../../engine/conversation/entry';
import { localizable } from '../../../engine/wording/localizable-text';
import { append } from '../../../platform/json/append';
import { type OpenValue, scanJson } from '../../../platform/json/json-scan';
import { parsedJson } from '../../../platform/json/json-text';
import * as s from '../../../platform/json/schemas';
import { Tally } from '../../../platform/json/tally';
import { UniqueIds } from '../../../platform/json/unique-ids';
import { personText } from '../../../sessions/injected/split-by-author';
import type { SessionContent } from '../../../sessions/records/line-session';
import { PairedContext } from '../../../sessions/records/paired-context';
import { titleOf } from '../../../sessions/records/title';
import type { WholeReading } from '../../../sessions/records/whole-file';
import { WholeFileSession } from '../../../sessions/records/whole-file-session';
import type { ParsedSession } from '../../../sessions/session';
import { folderAt } from './folder';
import { ChatLines } from './lines';
import { logLine, mutate } from './mutations';
import { ChatRequest, type RequestEntries } from './request';

const incompleteMessage = localizable(
  'The chat in this file is not valid JSON: it is truncated or damaged, so nothing is shown',
);

const requestsOf = s.record({ requests: s.list });

const responseOf = s.record({ response: s.list });

const chatRecord = s.record({
  sessionId: s.text,
  customTitle: s.name,
  workingDirectory: s.name,
  inputState: s.record({
    selectedModel: s.record({ identifier: s.name, metadata: s.record({ maxInputTokens: s.countOrZero }) }),
  }),
});

type SelectedModel = s.Read<typeof chatRecord>['inputState']['selectedModel'];

/** Builds a chat of VS Code from its log of changes, or from the single JSON object that versions before 1.109 wrote. */
export class VscodeChatBuilder extends WholeFileSession {
  readonly #lines = new ChatLines();
  #state: s.JsonRecord | null = null;
  /** By index. */
  #requests: (ChatRequest | null)[] = [];

  constructor(file: string) {
    super('vscode-chat', file, {}, isWholeChat);
  }

  protected content(): SessionContent {
    const whole = this.whole.read();
    if (whole.kind === 'object') this.#beginWhole(whole);
    const requests = this.#readRequests();
    const { sessionId, customTitle, workingDirectory, inputState } = s.read(chatRecord, this.#state);
    const model = requests.findLast((request) => request.model !== null)?.model ?? inputState.selectedModel.identifier;
    const modelId = requests.findLast((request) => request.modelId !== null)?.modelId ?? model;
    return {
      id: sessionId,
      cwd: folderAt(workingDirectory),
      title: customTitle ?? firstTitle(requests),
      model,
      ...windowOf(inputState.selectedModel, modelId),
      issues: [
        ...requests.flatMap(({ issues }) => issues),
        ...(whole.kind === 'broken' ? [{ line: whole.line, message: incompleteMessage }] : []),
      ],
      otherRecords: otherParts(requests),
      ...conversationOf(requests),
    };
  }

  protected acceptRecord(record: s.JsonRecord, line: number): void {
    const mutation = mutate(this.#state, record);
    if (mutation.kind === 'refused') this.issues.add(line, mutation.message);
    else if (mutation.kind === 'began') this.#begin(mutation.state, () => line);
    else this.#lines.note(mutation, s.read(requestsOf, this.#state).requests.length, line);
  }

  #begin(state: s.JsonRecord, lineOf: (request: number) => number): void {
    this.#state = state;
    this.#lines.begin(s.read(requestsOf, state).requests.length, lineOf);
  }

  #beginWhole({ object, text, firstLine }: Extract<WholeReading, { kind: 'object' }>): void {
    if (object === this.#state) return;
    const places = placesIn(text);
    const lineOf = (request: number, part?: number): number =>
      (places.get(placeName(request, part)) ?? places.get(placeName(request)) ?? 1) + firstLine - 1;
    this.#begin(object, lineOf);
    for (const [index, request] of s.read(requestsOf, object).requests.entries()) {
      for (const part of s.read(responseOf, request).response.keys()) {
        this.#lines.ofRequest(index)?.notePart(part, lineOf(index, part));
      }
    }
  }

  /** The cost of a known request is linear in what was added to it. */
  #readRequests(): RequestEntries[] {
    const before = this.#requests;
    this.#requests = s
      .read(requestsOf, this.#state)
      .requests.map((request, index) => this.#requestOf(request, index, before[index] ?? null));
    return this.#requests.flatMap((request) => (request === null ? [] : [request.read()]));
  }

  #requestOf(request: unknown, index: number, before: ChatRequest | null): ChatRequest | null {
    const lines = this.#lines.ofRequest(index);
    if (!s.isRecord(request) || !lines) return null;
    return before?.isOf(request, lines) ? before : new ChatRequest(request, { file: this.file, index, lines });
  }
}

/** A chat on one line contains its requests, as no line of a log does. */
function isWholeChat(text: string): boolean {
  const record = parsedJson(text);
  if (!s.isRecord(record)) return false;
  return s.read(logLine, record).kind === undefined && Array.isArray(record.requests);
}

/** All entries of the chat. The context has those of requests that were not taken back. */
function conversationOf(requests: readonly RequestEntries[]): Pick<ParsedSession, 'conversation' | 'awaitsReply'> {
  const ids = new UniqueIds();
  const entries: Entry[] = [];
  const context = new PairedContext();
  let awaitsReply = false;
  for (const request of requests) {
    const unique = request.entries.map((entry) => withUniqueId(entry, ids));
    append(entries, unique);
    if (!request.isInContext) continue;
    for (const entry of unique) context.add(entry);
    awaitsReply = request.awaitsReply;
  }
  return { conversation: { entries, agentContext: context.end(), agentCompactions: [] }, awaitsReply };
}

function withUniqueId(entry: Entry, ids: UniqueIds): Entry {
  const id = ids.claim(entry.id);
  return id === entry.id ? entry : { ...entry, id };
}

function otherParts(requests: readonly RequestEntries[]): Record<string, number> {
  const tally = new Tally();
  for (const { otherParts } of requests) for (const kind of otherParts) tally.add(kind);
  return tally.counts();
}

function firstTitle(requests: readonly RequestEntries[]): string | null {
  for (const { text } of requests) {
    const title = titleOf(personText([{ type: 'text', text }]));
    if (title !== null) return title;
  }
  return null;
}

/** VS Code records the context window only for the model selected for the next message. */
function windowOf({ identifier, metadata }: SelectedModel, modelId: string | null): { contextWindow?: number } {
  const { maxInputTokens } = metadata;
  return maxInputTokens > 0 && identifier === modelId ? { contextWindow: maxInputTokens } : {};
}

/** The first line of each value in a JSON text, 1-based, by the value's name. */
type Places = ReadonlyMap<string, number>;

function placeName(request: number, part?: number): string {
  return part === undefined ? `${request}` : `${request}/${part}`;
}

/** The first lines of the requests of a chat and of the parts of their responses. The text must be valid JSON. */
function placesIn(text: string): Places {
  const places = new Map<string, number>();
  scanJson(text, {
    enter: (open, line) => {
      const name = nameOf(open);
      if (name !== null) places.set(name, line);
    },
  });
  return places;
}

/** The name of the value that starts here, if it is a request or a part of a response. */
function nameOf(open: readonly OpenValue[]): string | null {
  const [root, requests, request, response] = open;
  if (root?.key !== 'requests' || typeof requests?.key !== 'number') return null;
  if (open.length === 2) return placeName(requests.key);
  if (open.length !== 4 || request?.key !== 'response' || typeof response?.key !== 'number') return null;
  return placeName(requests.key, response.key);
}
