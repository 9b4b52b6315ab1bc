import * as vscode from 'vscode';
import { type ResumeCommand, resumeCommand, resumeLine } from '../../inspection/fork/resume';
import { OperationRefused } from '../../inspection/inspection';
import type { SessionListItem } from '../../protocol/view';
import { readAddress } from '../../sessions/address';
import { openSession } from '../../sessions/open';
import type { Session } from '../../sessions/session';
import { runInTerminal } from '../compaction/forks';
import { tellingFailures } from '../failures/telling-failures';
import type { Inspector } from '../inspector';
import type { SessionList } from '../opening/session-list';
import type { Placements } from '../panel/placements';
import { treeCommandIds, treeViewId } from './command-ids';
import type { SessionTree } from './session-tree';
import type { TreeNode } from './tree-items';

export interface TreeServices {
  readonly inspector: Inspector;
  readonly placements: Placements;
  readonly sessions: SessionList;
  readonly tree: SessionTree;
  readonly log: vscode.LogOutputChannel;
}

/** What can be done with the sessions of the tree. */
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
      vscode.window.setStatusBarMessage(vscode.l10n.t('Copied the resume command.'), copiedFor);
    },
    [treeCommandIds.resume]: async (node) => {
      const { session, command } = await resumable(required(node));
      await runInTerminal(session.agent, command);
    },
    [treeCommandIds.refresh]: () => inView(() => sessions.refresh()),
    [treeCommandIds.groupByFolder]: () => tree.groupBy('folder'),
    [treeCommandIds.groupByAgent]: () => tree.groupBy('agent'),
  };
  return vscode.Disposable.from(
    ...Object.entries(handlers).map(([id, handler]) =>
      vscode.commands.registerCommand(id, (node?: TreeNode) =>
        tellingFailures(log, id, () => handler(node ?? tree.selected)),
      ),
    ),
  );
}

/** Milliseconds. */
const copiedFor = 3000;

/** The progress bar at the top of the view. */
function inView<T>(work: () => Promise<T>): Thenable<T> {
  return vscode.window.withProgress({ location: { viewId: treeViewId } }, work);
}

function required(node: TreeNode | undefined): SessionListItem {
  if (node?.kind === 'session') return node.item;
  throw new OperationRefused(vscode.l10n.t('Choose a session in the Sessions view.'));
}

async function open({ inspector }: TreeServices, node: TreeNode | undefined): Promise<void> {
  const { file } = required(node);
  if (inspector.inspection?.session.file !== file) await inView(() => inspector.open(file));
}

/** Whose command it is stands in the session file; the list does not have it. */
async function resumable({ file }: SessionListItem): Promise<{ session: Session; command: ResumeCommand }> {
  const outcome = await inView(() => openSession(file));
  if (outcome.kind !== 'opened') throw new OperationRefused(outcome.message);
  return { session: outcome.session, command: resumeCommand(outcome.session) };
}

/** The system's file manager where the files are on this machine, else the editor itself. */
async function reveal(address: string): Promise<void> {
  const uri = await fileOf(address);
  const isHere = vscode.env.uiKind === vscode.UIKind.Desktop && vscode.env.remoteName === undefined;
  await vscode.commands.executeCommand(isHere ? 'revealFileInOS' : 'vscode.open', uri);
}

async function fileOf(address: string): Promise<vscode.Uri> {
  for (const { file } of readAddress(address)) {
    const uri = vscode.Uri.file(file);
    if (await exists(uri)) return uri;
  }
  throw new OperationRefused(vscode.l10n.t('The file of this session is not there any more: {0}', address));
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return false;
    throw error;
  }
}
