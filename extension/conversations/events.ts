import { changedTokens, coversResults } from '../engine/conversation/context';
import type { PreparedRun } from '../engine/run/prepare/prepared-run';
import type { IncomingRequest } from '../middleware/requests/recording';

/** The conversation that an event is about. */
export interface EventConversation {
  readonly id: string;
  /** Its key, if requests name it. */
  readonly key?: string;
  readonly scope?: string;
}

interface EventBase {
  /** ISO 8601. */
  readonly time: string;
  readonly conversation: EventConversation;
}

/** Sizes are in tokens of the context. */
export interface Shrunk extends EventBase {
  /** `within-turn`: to save cost. `too-large`: at any moment, because the request did not fit. */
  readonly moment: 'between-turns' | 'within-turn' | 'too-large';
  readonly strategy: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Tokens after the first change. The provider may have had them in its cache. */
  readonly cacheLost: number;
}

/** Something that happened to a conversation by itself: no person or agent asked for it. */
export type ContextEvent =
  /** Messages were replaced by blocks. */
  | (Shrunk & { readonly kind: 'compacted' })
  /** Only texts of tool results were removed. */
  | (Shrunk & { readonly kind: 'cleared' })
  /** A request is larger than the window allows, and nothing more of it can be compacted. It was sent anyway. */
  | (EventBase & {
      readonly kind: 'overflow';
      readonly tokens: number;
      readonly contextWindow: number;
      readonly model: string;
    })
  /** A conversation is no longer in memory, with its pins and compactions. */
  | (EventBase & { readonly kind: 'evicted' })
  /** The conversation continues in memory, because its store failed. Pins, undo and compaction still work. */
  | (EventBase & { readonly kind: 'moved-to-memory'; readonly reason: string })
  /** Its store works again and has received everything that happened meanwhile. */
  | (EventBase & { readonly kind: 'returned' })
  /** It could not be written. The request was sent and its answer returned anyway. */
  | {
      readonly kind: 'not-kept';
      readonly time: string;
      /** Null if there is none yet. */
      readonly conversation: EventConversation | null;
      readonly what: 'conversation' | 'request' | 'answer';
      readonly reason: string;
    };

/** `identity`: from the request. */
export function eventConversation(
  id: string,
  { identity: { conversation: key, scope } = {} }: Pick<IncomingRequest, 'identity'>,
): EventConversation {
  return { id, ...(key === undefined ? {} : { key }), ...(scope === undefined ? {} : { scope }) };
}

export function shrunkEvent(
  { before, after, records, strategy }: PreparedRun,
  base: EventBase & Pick<Shrunk, 'moment'>,
): ContextEvent {
  const isCleared = records.every(({ summaryType }) => coversResults(summaryType));
  return {
    ...base,
    kind: isCleared ? 'cleared' : 'compacted',
    strategy,
    tokensBefore: before.tokens.total,
    tokensAfter: after.tokens.total,
    cacheLost: changedTokens(before, after),
  };
}
