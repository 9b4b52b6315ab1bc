import * as s from '../../platform/json/schemas';
import type { Outgoing } from '../recognition/outgoing';

/** How a format marks where the provider's cache of a request may end, such as `cache_control`. */
export interface CacheMarks<M> {
  /** The newest mark in these messages; undefined if they have none. */
  of(messages: readonly M[]): unknown;
  /** The same messages with this mark at their end. */
  on(messages: readonly M[], mark: unknown): readonly M[];
}

type Altered = Extract<Outgoing, { readonly kind: 'altered' }>;
type Made = Extract<Outgoing, { readonly kind: 'made' }>;

/** The groups of a request by their marks. */
interface MarkedGroups {
  readonly count: number;
  markAt(group: number): unknown;
  /** The mark in what remains of a group. */
  markIn(altered: Altered): unknown;
}

/** The marks that messages lost to a block, by that block: it is cached as they were. */
export function movedMarks(groups: MarkedGroups, outgoing: readonly Outgoing[]): ReadonlyMap<Outgoing, unknown> {
  const marks = new Map<Outgoing, unknown>();
  let block: Made | null = null;
  let next = 0;
  const move = (mark: unknown) => {
    if (block !== null && mark !== undefined) marks.set(block, mark);
  };
  for (const one of outgoing) {
    if (one.kind === 'made') {
      if (isBlock(one)) block = one;
      continue;
    }
    for (; next < one.index; next += 1) move(groups.markAt(next));
    next = one.index + 1;
    const mark = one.kind === 'altered' ? groups.markAt(one.index) : undefined;
    if (one.kind === 'altered' && mark !== undefined && groups.markIn(one) === undefined) move(mark);
  }
  for (; next < groups.count; next += 1) move(groups.markAt(next));
  return marks;
}

function isBlock({ message: { kind } }: Made): boolean {
  return kind === 'summary' || kind === 'goal_batch';
}

/** `cache_control` of a block of content. */
export const contentMarks: CacheMarks<s.JsonRecord> = {
  of(messages) {
    for (const { content } of messages.toReversed()) {
      const mark = markOfContent(content);
      if (mark !== undefined) return mark;
    }
    return undefined;
  },
  on(messages, mark) {
    const last = messages.at(-1);
    if (last === undefined) return messages;
    return [...messages.slice(0, -1), { ...last, content: markedContent(last.content, mark) }];
  },
};

/** The newest `cache_control` in a list of blocks. */
export function markOfContent(content: unknown): unknown {
  if (!Array.isArray(content)) return undefined;
  const marked = content.findLast((block) => s.isRecord(block) && (block.cache_control ?? null) !== null);
  return marked?.cache_control;
}

/** The content as blocks, of which the last one has the mark. */
export function markedContent(content: unknown, mark: unknown): s.JsonRecord[] {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : s.read(s.jsonRecords, content);
  return blocks.map((block, at) => (at === blocks.length - 1 ? { ...block, cache_control: mark } : block));
}
