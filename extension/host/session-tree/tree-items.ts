import { homedir } from 'node:os';
import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import type { SessionListItem } from '../../protocol/view';
import { adapters } from '../../sessions/adapters';
import { treeCommandIds } from '../command-ids';
import type { StoreTreeNode } from '../stores/store-nodes';
import { ageText, fillShare, fillText, titleText } from '../view/session-text';
import type { Grouping, SessionGroup } from './groups';

export interface GroupNode {
  readonly kind: 'group';
  readonly group: SessionGroup;
  /** Expanded at first, so that at least one group shows its sessions. */
  readonly isFirst?: boolean;
}

export interface SessionNode {
  readonly kind: 'session';
  readonly item: SessionListItem;
  readonly parent: GroupNode;
}

export type TreeNode = GroupNode | SessionNode | StoreTreeNode;

export function groupItem({ group, isFirst }: GroupNode): vscode.TreeItem {
  const { key, kind, name } = group;
  const isOpen = kind === 'open-folder' || kind === 'agent' || isFirst === true;
  const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(groupLabel(group), isOpen ? Expanded : Collapsed);
  item.id = key;
  item.iconPath = new vscode.ThemeIcon(icons[kind]);
  item.contextValue = 'group';
  if (kind === 'open-folder') item.description = vscode.l10n.t('open');
  if (kind === 'folder') item.description = shortPath(dirname(name));
  if (kind !== 'agent' && name !== '') item.tooltip = name;
  return item;
}

function groupLabel({ kind, name }: SessionGroup): string {
  if (kind === 'no-folder') return vscode.l10n.t('No Folder');
  return kind === 'agent' ? name : basename(name) || name;
}

const icons: Readonly<Record<SessionGroup['kind'], string>> = {
  'open-folder': 'root-folder',
  folder: 'folder',
  'no-folder': 'circle-slash',
  agent: 'hubot',
};

export function sessionItem(node: SessionNode, now: number): vscode.TreeItem {
  const { item, parent } = node;
  const title = titleText(item);
  const fill = item.fill ? [fillShare(item.fill)] : [];
  const details = [...fill, ...besides(item, groupingOf(parent)), ageText(item, now)];
  const treeItem = new vscode.TreeItem(item.fill?.after === undefined ? title : shortTitle(title));
  treeItem.id = item.file;
  treeItem.description = details.join(' · ');
  treeItem.tooltip = sessionTooltip(item);
  treeItem.iconPath = sessionIcon(item);
  treeItem.contextValue = isResumable(item) ? 'session resumable' : 'session';
  treeItem.command = { command: treeCommandIds.open, title: vscode.l10n.t('Open'), arguments: [node] };
  treeItem.accessibilityInformation = { label: [title, ...details].join(', ') };
  return treeItem;
}

/**
 * Longest title of a session with two fill levels, in characters. The editor cuts a row at its end: in a side bar of 300 pixels a
 * longer title would hide what the agent would have after Strata's compactions.
 */
const longestTitle = 22;

function shortTitle(title: string): string {
  const characters = [...new Intl.Segmenter().segment(title)].map(({ segment }) => segment);
  return characters.length <= longestTitle
    ? title
    : `${characters
        .slice(0, longestTitle - 1)
        .join('')
        .trimEnd()}…`;
}

function groupingOf({ group }: GroupNode): Grouping {
  return group.kind === 'agent' ? 'agent' : 'folder';
}

/** Details that the group does not show. */
function besides({ agentName, cwd, branch }: SessionListItem, grouping: Grouping): readonly string[] {
  const place = grouping === 'folder' ? agentName : cwd === null ? null : basename(cwd);
  return [place, branch].filter((part) => part !== null && part !== undefined);
}

function sessionTooltip(item: SessionListItem): string {
  const { agentName, cwd, modified, live, branch, fill, isFork } = item;
  const moment = new Date(modified).toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
  return [
    titleText(item),
    live ? vscode.l10n.t('{0}, live', agentName) : agentName,
    ...(isFork ? [vscode.l10n.t('A fork that Strata wrote')] : []),
    ...(fill ? [fillText(fill)] : []),
    ...(cwd === null ? [] : [cwd]),
    ...(branch === undefined ? [] : [vscode.l10n.t('Branch {0}', branch)]),
    moment,
  ].join('\n');
}

function sessionIcon({ live, isFork }: SessionListItem): vscode.ThemeIcon {
  if (isFork && !live) return new vscode.ThemeIcon('repo-forked');
  return live
    ? new vscode.ThemeIcon('circle-filled', new vscode.ThemeColor('testing.iconPassed'))
    : new vscode.ThemeIcon('comment-discussion');
}

function isResumable({ agent }: SessionListItem): boolean {
  return adapters.some((adapter) => adapter.agent === agent && adapter.resume !== undefined);
}

function shortPath(path: string): string {
  const home = homedir();
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
