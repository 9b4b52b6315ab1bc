import * as vscode from 'vscode';
import type { AgentId } from '../../sessions/session';
import type { Inspector } from '../inspector';
import type { Placements } from '../panel/placements';
import type { SessionList } from './session-list';

const key = 'strata.lastSession';

export interface RememberedSession {
  readonly file: string;
  /** Null if an earlier version of Strata remembered it. */
  readonly agent: AgentId | null;
}

/** The session that was last open in this workspace, which is shown again after a reload of the window. */
export class LastSession {
  constructor(private readonly state: vscode.Memento) {}

  read(): RememberedSession | null {
    const remembered = this.state.get<RememberedSession | string>(key);
    if (remembered === undefined) return null;
    return typeof remembered === 'string' ? { file: remembered, agent: null } : remembered;
  }

  async remember({ file, agent }: RememberedSession): Promise<void> {
    await this.state.update(key, { file, agent });
  }
}

/**
 * When the panel is first shown, reopens the last session of this workspace, or else the newest one of the open folder.
 * If there is neither, the panel says what to do.
 */
export function reopenSession(
  inspector: Inspector,
  placements: Placements,
  sessions: SessionList,
  lastSession: LastSession,
  log: vscode.LogOutputChannel,
): vscode.Disposable {
  const open = async () => {
    if (inspector.inspection) return;
    const file = lastSession.read()?.file ?? (await sessions.newestHere())?.file;
    if (file === undefined || inspector.inspection || inspector.opening) return;
    await inspector.open(file).catch((error) => log.warn(`The last session could not be reopened: ${error}`));
  };
  return vscode.Disposable.from(
    placements.onDidShow(open),
    inspector.onDidOpen(async () => {
      if (inspector.inspection) await lastSession.remember(inspector.inspection.session);
    }),
  );
}
