import type { Embedder } from '../../engine/block/language-model';
import type { CoreItem } from '../../engine/core/core';
import type { Inspection } from '../../inspection/inspection';
import type { TokenBudget } from '../../inspection/lookup/budget';
import type { TargetSources, ToolTarget } from './tool-target';

/** A tool call from VS Code. */
export interface ToolCall {
  readonly input: unknown;
  /** Opaque; identifies the calling chat. */
  readonly token: unknown;
  /** Id of the calling model; null if VS Code does not tell. */
  readonly model: string | null;
  /** Maximum answer size of the caller, in tokens. */
  readonly most: number;
  readonly signal: AbortSignal;
}

/** Side effects of the tools. None of them may delay the answer. */
export interface ToolEffects {
  automationEnabled(): boolean;
  /** Requests a compaction at the end of the session's current turn. */
  requestCompaction(target: ToolTarget, reason: string): void;
  /** Offers the person a preview of a compaction. */
  offerCompaction(target: ToolTarget, reason: string): void;
  /** Asks the person to accept or refuse a proposal. */
  announceProposal(target: ToolTarget, item: CoreItem): void;
  /** Changes a session's journal and updates all views of it. */
  change<T>(inspection: Inspection, act: (inspection: Inspection) => Promise<T>): Promise<T>;
  warn(message: string): void;
}

export interface ToolSurroundings extends TargetSources, ToolEffects {
  readonly embedder: Embedder;
}

/** A tool independent of VS Code. Throws errors with messages for the model. */
export type AnswerTool = (call: ToolCall, surroundings: ToolSurroundings) => Promise<string>;

export function budgetOf({ ledger }: Inspection, asked: number, { most }: ToolCall): TokenBudget {
  return { tokens: Math.min(asked, most), count: ledger.countText };
}

export function searchToolsOf({ signal }: ToolCall, { embedder, warn }: ToolSurroundings) {
  return { embedder, signal, warn };
}
