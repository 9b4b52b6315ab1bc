import type * as vscode from 'vscode';
import type { AgentSetups } from '../agents/agent-setups';
import type { DiffDocuments } from '../compaction/diff-documents';
import type { Forks } from '../compaction/forks';
import type { Evaluations } from '../evaluation/evaluations';
import type { Inspector } from '../inspector';
import type { SessionList } from '../opening/session-list';
import type { Views } from './views';

/** Services for all webviews of the panel, created once in main.ts. */
export interface PanelServices {
  readonly extensionUri: vscode.Uri;
  /** It contains Strata's own conversations. */
  readonly storage: string;
  readonly inspector: Inspector;
  readonly sessions: SessionList;
  readonly views: Views;
  readonly forks: Forks;
  readonly diffs: DiffDocuments;
  readonly evaluations: Evaluations;
  readonly agentSetups: AgentSetups;
  readonly log: vscode.LogOutputChannel;
}
