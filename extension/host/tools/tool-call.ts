import type { Embedder } from '../../engine/block/language-model';
import type { Inspection } from '../../inspection/inspection';
import type { ToolSurroundings, ToolTarget } from '../../inspection/tools/tool';
import { type TargetSources, targetOf } from './tool-target';

/** Side effects of the tools in the editor. None of them may delay the answer. */
export interface ToolEffects extends Pick<ToolSurroundings, 'announceProposal' | 'warn'> {
  /** Automatic compaction is on, and reaches the agent of this session. */
  compactsAutomatically(inspection: Inspection): boolean;
  /** Requests a compaction at the end of the session's current turn. */
  requestCompaction(target: ToolTarget, reason: string): void;
  /** Offers the person a preview of a compaction. */
  offerCompaction(target: ToolTarget, reason: string): void;
  /** Changes a session's journal and updates all views of it. */
  change<T>(inspection: Inspection, act: (inspection: Inspection) => Promise<T>): Promise<T>;
}

export interface EditorSurroundings extends TargetSources, ToolEffects {
  readonly embedder: Embedder;
}

/** The surroundings of one call. `token` is opaque; it identifies the calling chat. */
export function surroundingsOfCall(editor: EditorSurroundings, token: unknown): ToolSurroundings {
  return {
    ...editor,
    targetOf: (session) => targetOf({ session, token }, editor),
    askForCompaction: async (target, reason) => {
      const isAutomatic = editor.compactsAutomatically(target.inspection);
      if (isAutomatic) editor.requestCompaction(target, reason);
      else editor.offerCompaction(target, reason);
      return isAutomatic ? whenTurnEnds : personDecides;
    },
  };
}

const whenTurnEnds = 'The context will be compacted when this turn is over. Finish what you are doing.';
const personDecides =
  'Automatic compaction is off here, so the person was asked whether to open a preview. Nothing is compacted before they agree.';
