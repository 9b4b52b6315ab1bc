import type { Embedder } from '../../engine/block/language-model';
import type { CoreItem } from '../../engine/core/core';
import type { Inspection } from '../../inspection/inspection';
import type { TokenBudget } from '../../inspection/lookup/budget';
import type { TargetSources, ToolTarget } from './tool-target';

/** One call of a tool, as the editor passes it on. */
export interface ToolCall {
  readonly input: unknown;
  /** Opaque; says which chat calls. */
  readonly token: unknown;
  /** The name of the model that calls, where the editor tells. */
  readonly model: string | null;
  /** The most that the caller takes, in tokens. */
  readonly most: number;
  readonly signal: AbortSignal;
}

/** What the tools do beside answering. None of it may hold up the answer. */
export interface ToolEffects {
  automationEnabled(): boolean;
  /** Remembers that a compaction is wanted when the present turn of the session is over. */
  requestCompaction(target: ToolTarget, reason: string): void;
  /** Lets the person open the preview of a compaction. */
  offerCompaction(target: ToolTarget, reason: string): void;
  /** Lets the person accept or refuse what was proposed. */
  announceProposal(target: ToolTarget, item: CoreItem): void;
  /** Carries out a change of a session's journal, and tells everybody who shows it. */
  change<T>(inspection: Inspection, act: (inspection: Inspection) => Promise<T>): Promise<T>;
  warn(message: string): void;
}

export interface ToolSurroundings extends TargetSources, ToolEffects {
  readonly embedder: Embedder;
}

/** A tool without what the editor makes of it. Throws errors whose messages are for the model. */
export type AnswerTool = (call: ToolCall, surroundings: ToolSurroundings) => Promise<string>;

export function budgetOf({ ledger }: Inspection, asked: number, { most }: ToolCall): TokenBudget {
  return { tokens: Math.min(asked, most), count: ledger.countText };
}

export function searchToolsOf({ signal }: ToolCall, { embedder, warn }: ToolSurroundings) {
  return { embedder, signal, warn };
}
