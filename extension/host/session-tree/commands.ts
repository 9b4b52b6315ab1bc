import * as vscode from 'vscode';
import { type ResumeCommand, resumeCommand, resumeLine } from '../../inspection/fork/resume';
import { OperationRefused } from '../../inspection/inspection';
import { exists } from '../../platform/files/exists';
import type { SessionListItem } from '../../protocol/view';
import { readAddress } from '../../sessions/address';
import { openSession } from '../../sessions/open';
import type { Session } from '../../sessions/session';
import { treeCommandIds, treeViewId } from '../command-ids';
import { resumeInTerminal } from '../compaction/forks';
import { registerHandlers } from '../failures/telling-failures';
import type { Inspector } from '../inspector';
import type { SessionList } from '../opening/session-list';
import type { Placements } from '../panel/placements';
import { addressOf } from '../stores/store-nodes';
import type { SessionTree } from './session-tree';
import type { TreeNode } from './tree-items';

interface TreeServices {
  readonly inspector: Inspector;
  readonly placements: Placements;
  readonly sessions: SessionList;
  readonly tree: SessionTree;
  readonly log: vscode.LogOutputChannel;
}

export function registerTreeCommands(services: TreeServices): vscode.Disposable {
  const { placements, sessions, tree, log } = services;
  const handlers: Record<(typeof treeCommandIds)[keyof typeof treeCommandIds], (node?: TreeNode) => unknown> = {
    [treeCommandIds.open]: async (node) => {
      await open(services, node);
      await placements.show(true);
    },
    [treeCommandIds.openInEditor]: async (node) => {
      await open(services, node);
      placements.openInEditor();
    },
    [treeCommandIds.reveal]: (node) => reveal(required(node).file),
    [treeCommandIds.copyResume]: async (node) => {
      const { command } = await resumable(required(node));
      await vscode.env.clipboard.writeText(resumeLine(command));
      vscode.window.setStatusBarMessage(vscode.l10n.t('Copied the resume command.'), messageMs);
    },
    [treeCommandIds.resume]: async (node) => {
      const { session, command } = await resumable(required(node));
      await resumeInTerminal(session.agent, command);
    },
    [treeCommandIds.refresh]: () => {
      tree.refreshStores();
      return inView(() => sessions.refresh());
    },
    [treeCommandIds.group]: () => tree.groupOtherwise(),
  };
  const ofSelected = Object.entries(handlers).map(
    ([id, handle]) => [id, (node?: TreeNode) => handle(node ?? tree.selected)] as const,
  );
  return registerHandlers(log, Object.fromEntries(ofSelected));
}

/** Duration of the status bar message. */
const messageMs = 3000;

/** Shows the progress bar of the view. */
function inView<T>(work: () => Promise<T>): Thenable<T> {
  return vscode.window.withProgress({ location: { viewId: treeViewId } }, work);
}

function required(node: TreeNode | undefined): SessionListItem {
  if (node?.kind === 'session') return node.item;
  throw new OperationRefused(vscode.l10n.t('Choose a session in the Sessions view.'));
}

async function open({ inspector }: TreeServices, node: TreeNode | undefined): Promise<void> {
  const file = node?.kind === 'conversation' ? addressOf(node) : required(node).file;
  if (inspector.inspection?.session.file !== file) await inView(() => inspector.open(file));
}

/** Opens the session, because the list does not contain the data for the resume command. */
async function resumable({ file }: SessionListItem): Promise<{ session: Session; command: ResumeCommand }> {
  const outcome = await inView(() => openSession(file));
  if (outcome.kind !== 'opened') throw new OperationRefused(outcome.message);
  return { session: outcome.session, command: resumeCommand(outcome.session) };
}

/** Reveals the file in the system's file manager, or opens it in VS Code if it is on another machine. */
async function reveal(address: string): Promise<void> {
  const uri = await fileOf(address);
  const isHere = vscode.env.uiKind === vscode.UIKind.Desktop && vscode.env.remoteName === undefined;
  await vscode.commands.executeCommand(isHere ? 'revealFileInOS' : 'vscode.open', uri);
}

async function fileOf(address: string): Promise<vscode.Uri> {
  for (const { file } of readAddress(address)) {
    if (await exists(file)) return vscode.Uri.file(file);
  }
  throw new OperationRefused(vscode.l10n.t('The file of this session no longer exists: {0}', address));
}
