import fc from 'fast-check';
import type * as s from '../../../extension/platform/json/schemas';
import { type Api, type Turn, turns, written, writtenOtherwise } from './bodies';

/** Acts of a client between two requests. */
export type Edit =
  | { readonly kind: 'goes-on'; readonly turns: readonly Turn[] }
  | { readonly kind: 'again' }
  | { readonly kind: 'goes-back'; readonly by: number }
  | { readonly kind: 'changes'; readonly at: number }
  | { readonly kind: 'marks-newest'; readonly from: number }
  | { readonly kind: 'turns-keys' }
  | { readonly kind: 'other-fields'; readonly first: boolean }
  | { readonly kind: 'other-indent' }
  | { readonly kind: 'refers-elsewhere' }
  | { readonly kind: 'function-call' }
  | { readonly kind: 'cut'; readonly at: number };

const edit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 6, arbitrary: turns.map((more): Edit => ({ kind: 'goes-on', turns: more.slice(0, 2) })) },
  { weight: 1, arbitrary: fc.constant<Edit>({ kind: 'again' }) },
  { weight: 1, arbitrary: fc.nat(3).map((by): Edit => ({ kind: 'goes-back', by })) },
  { weight: 1, arbitrary: fc.nat(20).map((at): Edit => ({ kind: 'changes', at })) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 8 }).map((from): Edit => ({ kind: 'marks-newest', from })) },
  { weight: 1, arbitrary: fc.constant<Edit>({ kind: 'turns-keys' }) },
  { weight: 2, arbitrary: fc.boolean().map((first): Edit => ({ kind: 'other-fields', first })) },
  { weight: 1, arbitrary: fc.constant<Edit>({ kind: 'other-indent' }) },
  { weight: 1, arbitrary: fc.constant<Edit>({ kind: 'refers-elsewhere' }) },
  { weight: 1, arbitrary: fc.constant<Edit>({ kind: 'function-call' }) },
  { weight: 1, arbitrary: fc.nat(40).map((at): Edit => ({ kind: 'cut', at })) },
);

export const edits = fc.array(edit, { minLength: 2, maxLength: 8 });

/** A client: its messages, and how it writes them. */
export class Client {
  #turns: readonly Turn[];
  #count = 0;
  #changed: number | null = null;
  #indent: string;

  constructor(
    private readonly api: Api,
    first: readonly Turn[],
    indent = '',
  ) {
    this.#turns = first;
    this.#indent = indent;
  }

  /** The body of the next request. */
  next(edit: Edit): string {
    this.#count += 1;
    if (edit.kind === 'goes-on') this.#turns = [...this.#turns, ...edit.turns];
    if (edit.kind === 'goes-back') this.#turns = this.#turns.slice(0, Math.max(1, this.#turns.length - edit.by));
    if (edit.kind === 'changes') this.#changed = edit.at;
    if (edit.kind === 'other-indent') this.#indent = this.#indent === '' ? ' ' : '';
    const body = this.#edited(edit);
    if (edit.kind === 'turns-keys') return writtenOtherwise(body);
    const text = written(body, this.#indent);
    return edit.kind === 'cut' ? text.slice(0, text.length - edit.at) : text;
  }

  #edited(edit: Edit): s.JsonRecord {
    const { list } = this.api;
    const body = this.api.body(this.#turns);
    const messages = (body[list] as s.JsonRecord[]).map((message, at) =>
      at === this.#changed ? { ...message, content: `Said otherwise ${at}.` } : message,
    );
    if (edit.kind === 'refers-elsewhere')
      messages.push({ type: 'item_reference', id: 'i', role: 'user', content: 'x' });
    if (edit.kind === 'function-call') messages.push(...functionCall);
    const marked = edit.kind === 'marks-newest' ? messages.map(markedFrom(messages.length - edit.from)) : messages;
    const whole = { ...body, [list]: marked };
    if (edit.kind !== 'other-fields') return whole;
    const fields = { temperature: this.#count, system: 'Be very brief.', tools: [], instructions: 'Be very brief.' };
    return edit.first ? { ...fields, ...whole } : { ...whole, ...fields };
  }
}

const functionCall: readonly s.JsonRecord[] = [
  { role: 'assistant', content: null, function_call: { name: 'read', arguments: '{}' } },
  { role: 'function', name: 'read', content: 'text' },
];

function markedFrom(first: number) {
  return (message: s.JsonRecord, at: number) =>
    at < first ? message : { ...message, cache_control: { type: 'ephemeral' } };
}
