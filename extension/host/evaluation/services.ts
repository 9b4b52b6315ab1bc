import type * as vscode from 'vscode';
import type { MadeWith } from '../../evaluation/default-run';
import type { ModelAccess } from '../models/model-access';
import type { SessionList } from '../opening/session-list';

/** Paths of the threads' built programs. */
interface EvaluationPrograms {
  readonly evaluating: string;
  readonly playing: string;
  readonly replaying: string;
  readonly reading: string;
}

export interface EvaluationServices {
  /** Folder of the results. */
  readonly folder: string;
  readonly programs: EvaluationPrograms;
  /** Folder of the built dashboard. */
  readonly page: string;
  /** Results of the study in docs/study.md. */
  readonly study: string;
  readonly madeWith: MadeWith;
  readonly sessions: Pick<SessionList, 'read' | 'isOfOpenFolder'>;
  readonly models: Pick<ModelAccess, 'toolsFor'>;
  readonly log: Pick<vscode.LogOutputChannel, 'info' | 'warn' | 'error'>;
}
