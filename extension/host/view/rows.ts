import { blockOf, type ContextMessage } from '../../engine/conversation/context';
import {
  type Entry,
  type MessageMarks,
  marksOf,
  type Part,
  type ToolCallPart,
  type ToolResultPart,
  textOf,
  toolCalls,
  toolResults,
} from '../../engine/conversation/entry';
import { millisecondsOf } from '../../engine/conversation/milliseconds-of';
import { sameItems } from '../../engine/conversation/same-items';
import { type TokenLedger, tokensPerMessage } from '../../engine/conversation/tokens';
import { subjectOf } from '../../engine/conversation/tool-subject';
import type { Row, RowKind, ToolView } from '../../protocol/view';
import { blockPreview, corePreview, oneLine } from './row-preview';
import type { RowSurroundings } from './row-surroundings';

/** The messages with tool results, by call id. A call's row includes its result. */
type Answers = ReadonlyMap<string, ContextMessage>;

/** Cached rows of a message with everything they depend on. */
interface KnownRows {
  readonly around: RowSurroundings;
  readonly signature: string;
  readonly answers: readonly unknown[];
  readonly rows: readonly Row[];
}

/**
 * Builds rows of messages, each with the counted tokens of its own part of its message: `rowTokens` gives them those that
 * are shown. Unchanged rows are the same objects as before.
 */
export class RowBuilder {
  readonly #known = new WeakMap<ContextMessage, KnownRows>();

  rowsOf(messages: readonly ContextMessage[], around: RowSurroundings): Row[] {
    const answers = answersIn(messages);
    const called = new Set(messages.flatMap((message) => toolCalls(message.parts).map((call) => call.callId)));
    return messages.flatMap((message) =>
      isShownWithItsCall(message, called) ? [] : this.#rowsOfOne(message, answers, around),
    );
  }

  #rowsOfOne(message: ContextMessage, answers: Answers, around: RowSurroundings): readonly Row[] {
    const own = toolCalls(message.parts).map((call) => answers.get(call.callId));
    const known = this.#known.get(message);
    const isAnswered = known !== undefined && sameItems(known.answers, own);
    if (isAnswered && known.around === around) return known.rows;
    const signature = signatureOf(message, around);
    const isKnown = isAnswered && known.signature === signature;
    const rows = isKnown ? known.rows : newRows(message, answers, around);
    this.#known.set(message, { around, signature, answers: own, rows });
    return rows;
  }
}

function newRows(message: ContextMessage, answers: Answers, around: RowSurroundings): readonly Row[] {
  return isReply(message) ? replyRows(message, answers, around) : [row(message, around)];
}

/** An agent's summary may be a reply as well. */
function isReply(message: ContextMessage): boolean {
  const { role, kind, parts } = message;
  return role === 'assistant' && !blockOf(message) && (kind !== 'summary' || toolCalls(parts).length > 0);
}

function answersIn(messages: readonly ContextMessage[]): Answers {
  const answers = new Map<string, ContextMessage>();
  for (const message of messages) for (const result of toolResults(message.parts)) answers.set(result.callId, message);
  return answers;
}

function isShownWithItsCall(message: ContextMessage, called: ReadonlySet<string>): boolean {
  const results = toolResults(message.parts);
  return results.length > 0 && results.every((result) => called.has(result.callId));
}

/** Everything else a row depends on, to validate a cached one. */
function signatureOf(message: ContextMessage, around: RowSurroundings): string {
  const [entryId = ''] = message.entryIds;
  const subagents = toolCalls(message.parts).map(({ callId }) => around.subagentOf(callId) ?? '');
  const block = around.blockOf(message)?.compactionId;
  return `${around.turnOf(entryId)} ${around.pinnedOf(entryId)} ${block} ${subagents.join()}`;
}

const noDetails = { turn: null, tool: null, block: null, images: 0, pinned: [] as readonly string[] };

function row(message: ContextMessage, around: RowSurroundings): Row {
  const [entryId = ''] = message.entryIds;
  const kind = rowKind(message);
  return {
    ...noDetails,
    key: message.key,
    kind,
    turn: kind === 'user' ? around.turnOf(entryId) : null,
    preview: previewOf(message),
    tokens: message.tokens,
    tool: message.role === 'tool' ? resultView(message) : null,
    block: around.blockOf(message),
    images: imagesIn(message.parts),
    pinned: blockOf(message) || message.kind === 'core' ? [] : around.pinnedOf(entryId),
    time: millisecondsOf(message.timestamp),
  };
}

function rowKind(message: ContextMessage): RowKind {
  switch (message.kind) {
    case 'system':
    case 'user':
      return markedKind(message) ?? message.kind;
    case 'tool_call':
      return 'assistant';
    case 'tool_result':
      return 'tool';
    default:
      return message.kind;
  }
}

/** The kind of a replaced entry. A reply without text counts as its calls, or as reasoning. */
export function entryRowKind(entry: Entry): RowKind {
  const { role, summary, parts } = entry;
  if (summary) return 'summary';
  if (role === 'user') return markedKind(marksOf(entry)) ?? 'user';
  if (role !== 'assistant') return role;
  if (textOf(parts).trim() !== '') return 'assistant';
  if (toolCalls(parts).length > 0) return 'tool';
  return parts.some(({ type }) => type === 'reasoning') ? 'reasoning' : 'assistant';
}

/** The kind that a mark gives to a message in the role of the person or the system. */
function markedKind({ injected }: MessageMarks): RowKind | null {
  return injected ? 'injected' : null;
}

function previewOf(message: ContextMessage): string {
  const text = textOf(message.parts);
  if (message.kind === 'core') return corePreview(text);
  if (message.kind === 'summary' || message.kind === 'goal_batch') return blockPreview(text);
  return oneLine(text);
}

/** A reply has at most one row of reasoning, one of text, and one per tool call with its result. */
function replyRows(message: ContextMessage, answers: Answers, around: RowSurroundings): Row[] {
  const { ledger } = around;
  const reasoning = message.parts.filter((part) => part.type === 'reasoning');
  const calls = toolCalls(message.parts);
  const others = message.parts.filter((part) => part.type !== 'reasoning' && part.type !== 'tool_call');
  const rows: Row[] = [];
  if (reasoning.length > 0) rows.push(reasoningRow(message, reasoning, ledger));
  if (others.length > 0 || calls.length === 0) rows.push(textRow(message, others, around));
  return [...rows, ...calls.map((call, index) => toolRow(message, call, index, answers.get(call.callId), around))];
}

function reasoningRow(message: ContextMessage, parts: readonly Part[], ledger: TokenLedger): Row {
  const text = parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join(' ');
  return {
    ...noDetails,
    key: `${message.key}#reasoning`,
    kind: 'reasoning',
    preview: oneLine(text),
    tokens: tokensOfParts(parts, ledger),
    time: millisecondsOf(message.timestamp),
  };
}

function textRow(message: ContextMessage, parts: readonly Part[], around: RowSurroundings): Row {
  return {
    ...noDetails,
    key: message.key,
    kind: 'assistant',
    preview: oneLine(textOf(parts)),
    tokens: tokensOfParts(parts, around.ledger) + tokensPerMessage,
    images: imagesIn(parts),
    pinned: around.pinnedOf(message.key),
    time: millisecondsOf(message.timestamp),
  };
}

function toolRow(
  message: ContextMessage,
  call: ToolCallPart,
  index: number,
  answer: ContextMessage | undefined,
  around: RowSurroundings,
): Row {
  const result = answer ? toolResults(answer.parts).find((part) => part.callId === call.callId) : undefined;
  const ownShare = around.ledger.ofPart(call) + (index === 0 && !hasText(message) ? tokensPerMessage : 0);
  return {
    ...noDetails,
    key: `${message.key}#${call.callId}`,
    kind: 'tool',
    preview: '',
    tokens: ownShare,
    tool: toolView(call, result, answer?.pruned !== undefined, around.subagentOf(call.callId)),
    images: answer ? imagesIn(answer.parts) : 0,
    time: millisecondsOf(message.timestamp),
  };
}

function hasText(message: ContextMessage): boolean {
  return message.parts.some((part) => part.type !== 'reasoning' && part.type !== 'tool_call');
}

function toolView(
  call: ToolCallPart,
  result: ToolResultPart | undefined,
  pruned: boolean,
  subagent: string | null,
): ToolView {
  return {
    name: call.name,
    subject: oneLine(subjectOf(call)),
    outcome: result ? (result.isError ? 'error' : 'ok') : 'running',
    result: pruned ? '' : oneLine(result?.text ?? ''),
    pruned,
    ...(subagent === null ? {} : { subagent }),
  };
}

/** A result without its call, because an agent cut between the two. */
function resultView({ parts, pruned }: ContextMessage): ToolView {
  const [result] = toolResults(parts);
  return {
    name: result?.name ?? 'tool',
    subject: '',
    outcome: result?.isError ? 'error' : 'ok',
    result: pruned ? '' : oneLine(result?.text ?? ''),
    pruned: pruned !== undefined,
  };
}

function tokensOfParts(parts: readonly Part[], ledger: TokenLedger): number {
  return parts.reduce((total, part) => total + ledger.ofPart(part), 0);
}

function imagesIn(parts: readonly Part[]): number {
  return parts.filter(({ type }) => type === 'image').length;
}

/** Keys of the rows that show these messages of a context. A result is shown in the row of its call. */
export function rowKeysOf(messages: readonly ContextMessage[], context: readonly ContextMessage[]): readonly string[] {
  const callers = new Map(
    context.flatMap((message) => toolCalls(message.parts).map(({ callId }) => [callId, message.key] as const)),
  );
  const keys = new Set<string>();
  for (const { key, parts } of messages) {
    keys.add(key);
    if (parts.some(({ type }) => type === 'reasoning')) keys.add(`${key}#reasoning`);
    for (const { callId } of toolCalls(parts)) keys.add(`${key}#${callId}`);
    for (const { callId } of toolResults(parts)) keys.add(`${callers.get(callId) ?? key}#${callId}`);
  }
  return [...keys];
}
