import type * as vscode from 'vscode';
import type { MadeWith } from '../../evaluation/default-run';
import type { ModelAccess } from '../models/model-access';
import type { SessionList } from '../opening/session-list';

/** The built programs of the threads, by their paths. */
export interface EvaluationPrograms {
  readonly evaluating: string;
  readonly playing: string;
  readonly replaying: string;
  readonly reading: string;
}

export interface EvaluationServices {
  /** Where results are kept. */
  readonly folder: string;
  readonly programs: EvaluationPrograms;
  /** The folder that the dashboard's page was built into. */
  readonly page: string;
  readonly madeWith: MadeWith;
  readonly sessions: Pick<SessionList, 'read' | 'isOfOpenFolder'>;
  readonly models: Pick<ModelAccess, 'toolsFor'>;
  readonly log: Pick<vscode.LogOutputChannel, 'info' | 'warn' | 'error'>;
}
