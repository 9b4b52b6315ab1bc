import * as vscode from 'vscode';
import type { Inspector } from '../inspector';
import type { Placements } from '../panel/placements';
import type { LastSession } from './last-session';
import type { SessionList } from './session-list';

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
