import * as v from 'valibot';
import type { Piece } from './carried';

/** The requests that a plugin inside an agent can make. */
export const agentActions = [
  'hello',
  'compact',
  'prepare',
  'preview',
  'context',
  'clear',
  'core',
  'reminder',
  'status',
  'pin',
  'undo',
  'why',
] as const;

export type AgentAction = (typeof agentActions)[number];

const optionalText = v.optional(v.nullable(v.string()), null);

/** One request of a plugin inside an agent, as JSON. */
export const agentRequest = v.object({
  action: v.picklist(agentActions),
  /** The id by which the agent knows the conversation; null: the newest one in `folder`, live ones first. */
  session: v.optional(v.nullable(v.pipe(v.string(), v.minLength(1))), null),
  /** Where the agent works. */
  folder: optionalText,
  /** The path of its session file if the agent knows it; an address if one file contains many sessions. */
  file: optionalText,
  /** `automatic`: the context is full. */
  trigger: v.optional(v.picklist(['manual', 'automatic']), 'manual'),
  /** The focus of the compaction. */
  instructions: optionalText,
  /** The messages that the agent would send now, in its own shape. Its file may not be up to date. */
  messages: v.optional(v.unknown()),
  /** For `compact`: the agent asked its own model for a summary, and that failed. */
  ownFailed: v.optional(v.boolean(), false),
  /** For `pin`: what must hold. */
  text: optionalText,
});

export type AgentRequest = v.InferOutput<typeof agentRequest>;

/** A context with which an agent continues. */
export interface CompactedAnswer {
  readonly kind: 'compacted';
  /** One line for the person. */
  readonly message: string;
  readonly tokens: { readonly before: number; readonly after: number };
  /** The whole context without the system prompt, oldest first. */
  readonly pieces: readonly Piece[];
  /** The same in the shape that the plugin returns to its agent. */
  readonly result: unknown;
  /** The journal's file, for `context`. While it is unchanged, the same messages have the same answer. */
  readonly journal?: string;
}

/** New texts for tool results that stay in their places. */
export interface ClearedAnswer {
  readonly kind: 'cleared';
  readonly message: string;
  /** Tokens of the whole context with these texts. */
  readonly tokens: number;
  readonly results: readonly ClearedResult[];
}

export interface ClearedResult {
  /** As the session file names it. */
  readonly entry: string;
  readonly call: string;
  readonly text: string;
}

/** Text for the person. `again` is for the model: the text that a compaction removed. */
export interface SaidAnswer {
  readonly kind: 'said';
  readonly message: string;
  readonly again?: string;
  /** For the agent's own summarizer. */
  readonly instructions?: string;
  /** After a compaction by Strata: one line that tells the person what it did. */
  readonly done?: string;
  /** The journal's file, for `context` if nothing is compacted. */
  readonly journal?: string;
}

/** The agent acts as it would without Strata. */
export interface FallbackAnswer {
  readonly kind: 'fallback';
  /** One line for the person. */
  readonly message: string;
  /** For the agent's own summarizer, if it writes as it would without Strata. */
  readonly instructions?: string;
  /** The core, which follows the agent's own summary. */
  readonly again?: string;
}

export type AgentAnswer = CompactedAnswer | ClearedAnswer | SaidAnswer | FallbackAnswer;

export function fallback(reason: string): FallbackAnswer {
  return { kind: 'fallback', message: `Strata: ${/[.!?]$/.test(reason) ? reason : `${reason}.`}` };
}
