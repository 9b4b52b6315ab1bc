import * as vscode from 'vscode';
import { AutoCompact } from './host/auto-compact';
import { registerCommands } from './host/commands';
import { DiffDocuments } from './host/diff-documents';
import { Inspector } from './host/inspector';
import { ModelAccess } from './host/models/model-access';
import { Placements } from './host/panel/placements';
import { Views } from './host/panel/views';
import { reopenSession } from './host/reopen';
import { Reveal } from './host/reveal';
import { SessionList } from './host/session-list';
import { keepWhenContexts } from './host/when-contexts';

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Strata', { log: true });
  const journals = vscode.Uri.joinPath(context.globalStorageUri, 'journals').fsPath;
  const inspector = new Inspector(journals, new ModelAccess(context), log);
  const sessions = new SessionList(log);
  const diffs = new DiffDocuments();
  const { extensionUri, workspaceState } = context;
  const services = { extensionUri, inspector, sessions, diffs, log, views: new Views(), reveal: new Reveal() };
  const placements = new Placements(services);

  context.subscriptions.push(
    log,
    inspector,
    diffs,
    placements,
    registerCommands({ inspector, placements, sessions, log }),
    new AutoCompact(inspector, () => placements.tell('show', { what: 'compactions' }), log),
    keepWhenContexts(inspector),
    reopenSession(inspector, placements, sessions, workspaceState, log),
  );
}
