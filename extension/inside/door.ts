import type { Entry } from '../engine/conversation/entry';
import type { AgentId } from '../sessions/session';
import type { Piece } from './carried';

/** Translates what one agent's extension point passes to Strata and receives from it. One line in `doors.ts` adds it. */
export interface AgentDoor {
  readonly agent: AgentId;
  /**
   * The messages that the agent has in memory, oldest first. They complete a session file that is not up to date. Absent: the file is
   * always complete. Throws `HandedOverUnreadable` for another shape.
   */
  handedOver?(messages: unknown): readonly Entry[];
  /** The agent accepts single messages, so those before the first changed one stay in the provider's cache. */
  readonly keepsMessages?: true;
  /** A context in the shape that the plugin returns to its agent. Absent: the agent accepts none and keeps its own summary. */
  result?(context: CarriedContext): unknown;
}

interface CarriedContext {
  readonly pieces: readonly Piece[];
  readonly tokens: { readonly before: number; readonly after: number };
}

/** A plugin passed something other than its agent's messages; the message says what. */
export class HandedOverUnreadable extends Error {
  override name = 'HandedOverUnreadable';
}
