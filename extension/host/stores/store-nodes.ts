import * as vscode from 'vscode';
import { readPlace } from '../../conversations/stores/places/place';
import { storeKinds } from '../../conversations/stores/places/store-kinds';
import type { StoredConversation } from '../../conversations/stores/record-store';
import { storedAddress } from '../../conversations/stores/stored-address';
import { storeCommandIds, treeCommandIds } from '../command-ids';
import { failureText } from '../failures/failure-text';
import { relativeTime } from '../view/relative-time';
import type { ConfiguredStore } from './configured-stores';
import type { ListPlace } from './store-lists';

/** A store in the Sessions view. */
export interface StoreNode {
  readonly kind: 'store';
  readonly store: ConfiguredStore;
  /** Whether it was added just now, so that its conversations are shown. Others are read when a person opens them. */
  readonly isNew: boolean;
}

/** A tenant of a store that lists several. */
export interface TenantNode {
  readonly kind: 'tenant';
  readonly place: ListPlace;
  readonly parent: StoreNode;
}

export interface ConversationNode {
  readonly kind: 'conversation';
  readonly place: ListPlace;
  readonly conversation: StoredConversation;
  readonly parent: StoreNode | TenantNode;
}

/** A message shown in place of conversations, or below them. */
export interface MessageNode {
  readonly kind: 'message';
  readonly place: ListPlace;
  readonly parent: StoreNode | TenantNode;
  readonly message:
    | { readonly kind: 'none' }
    | { readonly kind: 'failed'; readonly error: unknown }
    /** Number of conversations that are not shown yet. */
    | { readonly kind: 'more'; readonly left: number };
}

export type StoreTreeNode = StoreNode | TenantNode | ConversationNode | MessageNode;

export function isStoreTreeNode(node: { readonly kind: string }): node is StoreTreeNode {
  return ['store', 'tenant', 'conversation', 'message'].includes(node.kind);
}

/** The address by which the inspector opens a conversation. */
export function addressOf({ place, conversation }: Pick<ConversationNode, 'place' | 'conversation'>): string {
  const { id, name } = conversation;
  const scope = place.tenant === '' ? {} : { scope: place.tenant };
  return storedAddress({ place: place.address, ...scope, name: name ?? id });
}

export function storeItem(node: StoreTreeNode, now: number): vscode.TreeItem {
  switch (node.kind) {
    case 'store':
      return itemOfStore(node);
    case 'tenant':
      return itemOfTenant(node);
    case 'conversation':
      return itemOfConversation(node, now);
    case 'message':
      return itemOfMessage(node);
  }
}

export function kindName(address: string): string {
  const { kind } = readPlace(address);
  return (kind === 'unknown' ? '' : storeKinds[kind].product) || vscode.l10n.t('Folder');
}

/** `db:5432/strata` of `postgres://ada@db:5432/strata`; the last two names of a path. */
export function shortAddress(address: string): string {
  const url = /^[a-z]{2,}:\/\/(?:[^@]*@)?([^?#]+)/.exec(address)?.[1];
  if (url !== undefined) return url;
  const place = readPlace(address);
  const path = place.kind === 'unknown' ? address : place.target;
  return path.split(/[\\/]/).filter(Boolean).slice(-2).join('/') || path;
}

export function tenantName(tenant: string): string {
  return tenant === '' ? vscode.l10n.t('No tenant') : tenant;
}

const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;

function itemOfStore({ store: { address, tenants }, isNew }: StoreNode): vscode.TreeItem {
  const item = new vscode.TreeItem(shortAddress(address), isNew ? Expanded : Collapsed);
  const [tenant, ...more] = tenants;
  const details = [kindName(address), ...(tenant !== undefined && more.length === 0 ? [tenant] : [])];
  item.id = `store:${address}`;
  item.description = details.join(' · ');
  item.tooltip = [vscode.l10n.t('Store of conversations'), address, ...tenants.map(tenantText)].join('\n');
  item.iconPath = new vscode.ThemeIcon('database');
  item.contextValue = 'store';
  item.accessibilityInformation = {
    label: [vscode.l10n.t('Store {0}', shortAddress(address)), ...details].join(', '),
  };
  return item;
}

function tenantText(tenant: string): string {
  return vscode.l10n.t('Tenant {0}', tenant);
}

function itemOfTenant({ place }: TenantNode): vscode.TreeItem {
  const item = new vscode.TreeItem(tenantName(place.tenant), Expanded);
  item.id = `tenant:${place.address}#${place.tenant}`;
  item.iconPath = new vscode.ThemeIcon('organization');
  item.contextValue = 'tenant';
  return item;
}

function itemOfConversation(node: ConversationNode, now: number): vscode.TreeItem {
  const { place, conversation } = node;
  const { id, name, updated, length } = conversation;
  const title = name ?? id;
  const age = relativeTime(Date.parse(updated), now, vscode.env.language);
  const details = [vscode.l10n.t('{0} records', numberText(length)), age];
  const item = new vscode.TreeItem(title);
  item.id = `conversation:${place.address}#${place.tenant}#${id}`;
  item.description = details.join(' · ');
  item.iconPath = new vscode.ThemeIcon('comment');
  item.contextValue = 'conversation';
  item.command = { command: treeCommandIds.open, title: vscode.l10n.t('Open'), arguments: [node] };
  item.accessibilityInformation = { label: [vscode.l10n.t('Conversation {0}', title), ...details].join(', ') };
  return item;
}

/** Created on demand, because a list has hundreds of them. */
export function conversationTooltip({ place, conversation }: ConversationNode): string {
  const { id, name, updated, created } = conversation;
  const moment = (time: string) =>
    new Date(time).toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
  return [
    name ?? id,
    place.address,
    ...(place.tenant === '' ? [] : [tenantText(place.tenant)]),
    ...(name === null ? [] : [vscode.l10n.t('Id {0}', id)]),
    ...(created === '' ? [] : [vscode.l10n.t('Started {0}', moment(created))]),
    vscode.l10n.t('Last written {0}', moment(updated)),
  ].join('\n');
}

function itemOfMessage({ place, message }: MessageNode): vscode.TreeItem {
  const item = new vscode.TreeItem(messageText(message));
  item.id = `message:${place.address}#${place.tenant}`;
  item.contextValue = 'message';
  if (message.kind === 'failed') {
    item.iconPath = new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
    item.tooltip = `${messageText(message)}\n${vscode.l10n.t('Click to try again')}`;
    item.command = { command: treeCommandIds.refresh, title: vscode.l10n.t('Refresh') };
  }
  if (message.kind === 'more') {
    item.iconPath = new vscode.ThemeIcon('ellipsis');
    item.command = { command: storeCommandIds.showMore, title: vscode.l10n.t('Show more'), arguments: [place] };
  }
  return item;
}

/** In the language of the process, whose number formats are already loaded. */
function numberText(value: number): string {
  return value.toLocaleString();
}

function messageText(message: MessageNode['message']): string {
  switch (message.kind) {
    case 'none':
      return vscode.l10n.t('No conversations');
    case 'failed':
      return failureText(message.error);
    case 'more':
      return vscode.l10n.t('{0} more…', numberText(message.left));
  }
}
