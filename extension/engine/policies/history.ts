import type { Block } from '../conversation/block';
import { blockOf, type ContextMessage } from '../conversation/context';
import { type ToolResultPart, textOf, toolCalls, toolResults } from '../conversation/entry';
import { isAgentWork } from '../conversation/steps';
import { oneLine } from '../conversation/text';
import { counted } from '../wording/counts';

/**
 * One event in an agent's history, as a policy sees it. The keys are exact (docs/specification/policies.md, "Policies"), so that a
 * program can pass its own history unconverted.
 */
export interface HistoryEntry {
  readonly type: 'step' | 'user' | 'summary' | 'historical_summary';
  /** For a step: the kind of action (`code`, `search`, the name of a tool). */
  readonly action?: string;
  readonly output?: string;
  readonly error?: string;
  /** 0 to 1, if the step was judged. */
  readonly reward?: number;
  /** The text of every entry that is not a step. */
  readonly content?: string;
  readonly tier?: string;
  /** For a summary: number of original entries that it stands for. */
  readonly entries_summarized?: number;
}

/** Number of original entries that these are or stand for. Historical summaries count elsewhere. */
export function originalEntries(entries: readonly HistoryEntry[]): number {
  return entries.reduce((total, entry) => total + entriesIn(entry), 0);
}

export function entriesIn({ type, entries_summarized }: HistoryEntry): number {
  if (type === 'historical_summary') return 0;
  return type === 'summary' ? (entries_summarized ?? 1) : 1;
}

/** A user message counts as a step, so that the numbers in a summary add up. */
export function actionOf({ type, action }: HistoryEntry): string {
  if (type === 'step') return action ?? 'step';
  return type === 'user' ? 'user' : 'summary';
}

export function steps(count: number): string {
  return counted(count, 'step');
}

/** The text in place of entries that are dropped entirely. */
export function discarded(count: number): string {
  return `[${count} earlier ${count === 1 ? 'entry' : 'entries'} discarded]`;
}

const cutMark = '...';

/** Cuts to at most `units` UTF-16 units including the mark, between words if possible. */
export function cut(text: string, units: number): string {
  if (text.length <= units) return text;
  const room = Math.max(0, Math.floor(units) - cutMark.length);
  const head = text.slice(0, room);
  const space = text[room] === ' ' ? room : head.lastIndexOf(' ');
  return `${(space > 0 ? head.slice(0, space) : wholeCharacters(head)).trimEnd()}${cutMark}`;
}

/** Drops half a surrogate pair at the end. */
function wholeCharacters(head: string): string {
  return head.replace(/[\uD800-\uDBFF]$/, '');
}

/** The policy that reads a history: it knows its own blocks. */
interface Reader {
  readonly name: string;
  readonly remembers?: unknown;
}

/**
 * Converts the messages of one segment to history entries. A user message is an entry, and so is a reply with the results of its calls;
 * blocks and summaries are summary entries. Reminders are not entries.
 */
export function historyOf(messages: readonly ContextMessage[], policy: Reader): HistoryEntry[] {
  const items: (HistoryEntry | OpenStep)[] = [];
  let open: OpenStep | null = null;
  for (const message of messages) {
    const opened: OpenStep | null = opensStep(message, open) ? openStep(message) : null;
    if (opened) items.push(opened);
    open = opened ?? open;
    if (isAgentWork(message)) open?.results.push(...toolResults(message.parts));
    else items.push(...otherEntries(message, policy));
  }
  return items.map((item) => ('results' in item ? stepOf(item) : item));
}

interface OpenStep {
  /** Null for results without a call. */
  readonly reply: ContextMessage | null;
  readonly callIds: ReadonlySet<string>;
  readonly results: ToolResultPart[];
}

function opensStep(message: ContextMessage, open: OpenStep | null): boolean {
  if (!isAgentWork(message)) return false;
  return message.role === 'assistant' || open === null || !answers(open, message);
}

function openStep(message: ContextMessage): OpenStep {
  const callIds = new Set(toolCalls(message.parts).map(({ callId }) => callId));
  return { reply: message.role === 'assistant' ? message : null, callIds, results: [] };
}

/** Results without a call join those before them. */
function answers({ reply, callIds }: OpenStep, { parts }: ContextMessage): boolean {
  return reply === null || toolResults(parts).some(({ callId }) => callIds.has(callId));
}

function stepOf({ reply, results }: OpenStep): HistoryEntry {
  const failed = results.filter(({ isError }) => isError);
  const worked = results.filter(({ isError }) => !isError);
  const output = gist(results.length === 0 ? textOf(reply?.parts ?? []) : textsOf(worked));
  const error = gist(textsOf(failed));
  return {
    type: 'step',
    action: actionName(reply, results),
    ...(output === '' ? {} : { output }),
    ...(failed.length === 0 ? {} : { error: error === '' ? 'failed' : error }),
  };
}

/** The tools of the reply, joined if there are several; `reply` without tools. */
function actionName(reply: ContextMessage | null, results: readonly ToolResultPart[]): string {
  const called = toolCalls(reply?.parts ?? []).map(({ name }) => name);
  const names = reply === null ? results.map(({ name }) => name ?? 'tool') : called;
  return names.length === 0 ? 'reply' : [...new Set(names.map((name) => name.replace(/[\s|,;:()]+/g, '-')))].join('+');
}

function textsOf(results: readonly ToolResultPart[]): string {
  return results.map(({ text }) => text).join('\n');
}

function otherEntries(message: ContextMessage, policy: Reader): HistoryEntry[] {
  const text = textOf(message.parts);
  const block = blockOf(message);
  if (block) return blockEntries(block, message.entryIds.length, text, policy);
  if (message.kind === 'summary') return [{ type: 'summary', content: text.trim() }];
  return message.kind === 'user' && !message.injected ? [{ type: 'user', content: gist(text) }] : [];
}

/**
 * A block of another strategy counts the entries beneath it. A block of this policy may have a line of historical
 * summaries after its summary.
 */
function blockEntries(
  { tier, metadata }: Block,
  entryCount: number,
  text: string,
  { name, remembers }: Reader,
): HistoryEntry[] {
  const body = text.slice(text.indexOf('\n') + 1).trim();
  const isOwn = metadata.summary_type === name;
  const [content = '', historical] = isOwn && remembers ? body.split('\n') : [body];
  const summary: HistoryEntry = {
    type: 'summary',
    content,
    ...(tier === null || !isOwn ? {} : { tier }),
    entries_summarized: metadata.entries_summarized ?? entryCount,
  };
  return historical === undefined ? [summary] : [summary, { type: 'historical_summary', content: historical }];
}

/** Strategies have hyphens in their names. */
export function strategyName(policyName: string): string {
  return policyName.replaceAll('_', '-');
}

/** In UTF-16 units: no policy shows more of an output. */
const maxGistLength = 1000;

/** Line numbers of editors and `cat -n`. */
const lineNumber = /^\s*\d+(?:\t|→)/;
const saysSomething = /[\p{L}\p{N}]/u;

/** The first informative lines, joined. Long outputs are not read to their end. */
function gist(text: string): string {
  let words = '';
  for (const line of linesOf(text)) {
    const more = oneLine(line.replace(lineNumber, ''));
    if (saysSomething.test(more)) words += words === '' ? more : ` ${more}`;
    if (words.length > maxGistLength) break;
  }
  return cut(words, maxGistLength);
}

/** Very long lines are cut to what can be shown. */
function* linesOf(text: string): Generator<string> {
  let start = 0;
  while (start < text.length) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    yield text.slice(start, Math.min(end, start + 2 * maxGistLength));
    start = end + 1;
  }
}
