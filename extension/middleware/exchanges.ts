import { type ImagePart, type Part, textOf, toolCalls, toolResults } from '../engine/conversation/entry';
import type { SentMessage } from '../engine/conversation/projection';
import { CallIds, type CallLimits, callArguments, callName } from './call-names';
import { paired } from './paired';
import { type Picture, pictureOf } from './pictures';

interface ExchangedCall {
  readonly id: string;
  readonly name: string;
  readonly input: object;
}

interface ExchangedResult {
  readonly callId: string;
  readonly text: string;
  readonly isError: boolean;
  readonly pictures: readonly Picture[];
}

/** One message in the form that providers accept. None of its texts is blank, and no message is without content. */
export type Exchange =
  | { readonly role: 'system'; readonly text: string }
  | { readonly role: 'user'; readonly texts: readonly string[]; readonly pictures: readonly Picture[] }
  | { readonly role: 'assistant'; readonly texts: readonly string[]; readonly calls: readonly ExchangedCall[] }
  /** The results of all calls of the reply before, in order. */
  | { readonly role: 'results'; readonly results: readonly ExchangedResult[] };

type Reply = Extract<Exchange, { role: 'assistant' }>;

/** Placeholders for content that providers require and the session lacks. */
export const madeUp = {
  result: '[No result: the session holds none for this call.]',
  errorWithoutText: '[The call failed without a message.]',
  beginning: '[The conversation begins with the assistant.]',
  empty: '[The session holds no messages.]',
} as const;

const strayResult = '[Result of a call that the session does not hold]';

/**
 * The messages of a context by the rules that providers share: the first is the user's, each reply with calls is followed
 * by one result of each, ids are unique, and nothing is empty or half a surrogate pair. What the session holds outside
 * of these rules becomes text.
 */
export function exchangesOf(messages: readonly SentMessage[], limits: CallLimits): Exchange[] {
  const exchanges = new Exchanges(limits);
  for (const message of paired(messages)) exchanges.add(message);
  return wellFormed(exchanges.end());
}

class Exchanges {
  readonly #done: Exchange[] = [];
  readonly #ids: CallIds;
  /** The newest reply, while its calls wait for their results. */
  #open: {
    readonly reply: Reply;
    readonly given: readonly string[];
    readonly results: (ExchangedResult | null)[];
  } | null = null;
  /** Results without a call in the reply before; they follow the results that have one. */
  #stray: Exchange[] = [];

  constructor(private readonly limits: CallLimits) {
    this.#ids = new CallIds(limits);
  }

  add(message: SentMessage): void {
    const { role, parts } = message;
    if (role !== 'tool') this.#close();
    if (role === 'tool') this.#addResults(parts);
    else if (role === 'system') this.#addSystem(parts);
    else if (role === 'user') this.#push(spokenBy(parts));
    else this.#addReply(parts);
  }

  end(): Exchange[] {
    this.#close();
    const first = this.#done.findIndex(({ role }) => role !== 'system');
    if (this.#done[first]?.role === 'user') return this.#done;
    const text = first === -1 ? madeUp.empty : madeUp.beginning;
    const at = first === -1 ? this.#done.length : first;
    return this.#done.toSpliced(at, 0, { role: 'user', texts: [text], pictures: [] });
  }

  /** Pictures in a system prompt are sent as the user's. */
  #addSystem(parts: readonly Part[]): void {
    const text = textOf(parts);
    if (text.trim() !== '') this.#done.push({ role: 'system', text });
    this.#push({ role: 'user', texts: [], pictures: picturesIn(parts) });
  }

  #addReply(parts: readonly Part[]): void {
    const calls = toolCalls(parts);
    const reply: Reply = {
      role: 'assistant',
      texts: [...textsIn(parts), ...picturesIn(parts).map(textOfMade)],
      calls: calls.map(({ callId, name, input }) => ({
        id: this.#ids.claim(callId),
        name: callName(name, this.limits),
        input: callArguments(input),
      })),
    };
    if (reply.texts.length + calls.length > 0) this.#done.push(reply);
    if (calls.length > 0) {
      this.#open = { reply, given: calls.map(({ callId }) => callId), results: calls.map(() => null) };
    }
  }

  #addResults(parts: readonly Part[]): void {
    const pictures = picturesIn(parts);
    for (const [index, { callId, text, isError }] of toolResults(parts).entries()) {
      const own = index === 0 ? pictures : [];
      const place = this.#open?.given.findIndex((id, at) => id === callId && this.#open?.results[at] === null) ?? -1;
      const call = this.#open?.reply.calls[place];
      if (this.#open === null || call === undefined) this.#addStray(text, own);
      else this.#open.results[place] = { callId: call.id, text: saidIn(text, isError), isError, pictures: own };
    }
    if (toolResults(parts).length === 0) this.#addStray(textOf(parts), pictures);
  }

  #addStray(text: string, pictures: readonly Picture[]): void {
    this.#stray.push({ role: 'user', texts: [`${strayResult}\n${text}`.trim()], pictures });
  }

  /** Calls that got no result before work went on, or before the context ends. */
  #close(): void {
    const { reply, results } = this.#open ?? {};
    if (reply !== undefined && results !== undefined) {
      this.#done.push({ role: 'results', results: reply.calls.map(({ id }, at) => results[at] ?? missing(id)) });
    }
    this.#done.push(...this.#stray);
    this.#open = null;
    this.#stray = [];
  }

  #push(exchange: Extract<Exchange, { role: 'user' }>): void {
    if (exchange.texts.length + exchange.pictures.length > 0) this.#done.push(exchange);
  }
}

function missing(callId: string): ExchangedResult {
  return { callId, text: madeUp.result, isError: true, pictures: [] };
}

function saidIn(text: string, isError: boolean): string {
  return isError && text.trim() === '' ? madeUp.errorWithoutText : text;
}

function spokenBy(parts: readonly Part[]): Extract<Exchange, { role: 'user' }> {
  return { role: 'user', texts: textsIn(parts), pictures: picturesIn(parts) };
}

/** Thinking is left out, because providers accept it only with a signature, which session files do not always contain. */
function textsIn(parts: readonly Part[]): string[] {
  return parts.flatMap((part) => (part.type === 'text' && part.text.trim() !== '' ? [part.text] : []));
}

function picturesIn(parts: readonly Part[]): Picture[] {
  return parts.filter((part): part is ImagePart => part.type === 'image').map(pictureOf);
}

/** A reply takes no pictures. */
function textOfMade(picture: Picture): string {
  return picture.kind === 'text' ? picture.text : `[${picture.mediaType} that the assistant made]`;
}

/**
 * The value without half surrogate pairs, which a session file can contain and no provider accepts; keys of objects are included. Values
 * without any are not copied.
 */
function wellFormed<T>(value: T): T;
function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  return isWellFormed(value) ? value : copied(value as object);
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (Array.isArray(value)) return value.every(isWellFormed);
  if (typeof value !== 'object' || value === null) return true;
  for (const key in value) {
    if (!key.isWellFormed() || !isWellFormed((value as Record<string, unknown>)[key])) return false;
  }
  return true;
}

function copied(value: object): object {
  if (Array.isArray(value)) return value.map((item) => wellFormed(item));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.toWellFormed(), wellFormed(item)]));
}
