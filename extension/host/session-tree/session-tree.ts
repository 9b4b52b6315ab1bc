import * as vscode from 'vscode';
import type { SessionListItem } from '../../protocol/view';
import { treeViewId } from '../command-ids';
import type { SessionList } from '../opening/session-list';
import type { ConfiguredStore } from '../stores/configured-stores';
import type { KnownStores } from '../stores/known-stores';
import type { ListPlace } from '../stores/store-lists';
import { conversationTooltip, isStoreTreeNode, storeItem } from '../stores/store-nodes';
import { StoreTree } from '../stores/store-tree';
import { type Grouping, groupings, groupSessions } from './groups';
import { type GroupNode, groupItem, type SessionNode, sessionItem, type TreeNode } from './tree-items';
import { whileVisible } from './while-visible';

const groupingKey = 'strata.sessionsGrouping';
/** Lists of stores are read again after this while the view is shown; older ones when it appears. In milliseconds. */
const listAgeMs = 30_000;

/** The Sessions view: the sessions of all agents in a tree, followed by the stores of conversations. */
export class SessionTree implements vscode.TreeDataProvider<TreeNode>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #view: vscode.TreeView<TreeNode>;
  readonly #disposables: vscode.Disposable[];
  readonly stores: StoreTree;
  #grouping: Grouping;

  constructor(
    private readonly sessions: SessionList,
    stores: KnownStores,
    private readonly state: vscode.Memento,
  ) {
    this.stores = new StoreTree(stores);
    this.#grouping = groupings.find((known) => known === state.get(groupingKey)) ?? 'folder';
    this.#view = vscode.window.createTreeView(treeViewId, { treeDataProvider: this, showCollapseAll: true });
    this.#disposables = [
      this.#view,
      this.#changed,
      sessions.onDidChange(() => this.#changed.fire()),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.#changed.fire()),
      whileVisible(this.#view, listAgeMs, {
        appeared: () => {
          this.stores.lists.forget(listAgeMs);
          // Updates the relative times.
          this.#changed.fire();
        },
        again: () => {
          if (this.stores.lists.forget()) this.#changed.fire();
        },
      }),
      stores.onDidChange(() => this.refreshStores()),
    ];
  }

  async getChildren(parent?: TreeNode): Promise<TreeNode[]> {
    if (parent?.kind === 'session') return [];
    if (parent && isStoreTreeNode(parent)) return [...(await this.stores.childrenOf(parent))];
    if (parent) return parent.group.sessions.map((item) => ({ kind: 'session', item, parent }) satisfies SessionNode);
    const groups = this.#groupsOf(await this.sessions.read());
    // The welcome content must not claim that there are no sessions before they were read.
    void vscode.commands.executeCommand('setContext', 'strata.sessionsRead', true);
    return [...groups, ...this.stores.roots];
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    if (isStoreTreeNode(node)) return storeItem(node, Date.now());
    return node.kind === 'group' ? groupItem(node) : sessionItem(node, Date.now());
  }

  resolveTreeItem(item: vscode.TreeItem, node: TreeNode): vscode.TreeItem {
    if (node.kind === 'conversation') item.tooltip = conversationTooltip(node);
    return item;
  }

  getParent(node: TreeNode): TreeNode | undefined {
    if (isStoreTreeNode(node)) return this.stores.parentOf(node);
    return node.kind === 'session' ? node.parent : undefined;
  }

  /** Reads the lists of all stores again. */
  refreshStores(): void {
    this.stores.lists.forget();
    this.#changed.fire();
  }

  showMore(place: ListPlace): void {
    this.stores.showMore(place);
    this.#changed.fire();
  }

  /** Shows what is in a store. */
  async revealStore({ address }: ConfiguredStore): Promise<void> {
    const node = this.stores.roots.find(({ store }) => store.address === address);
    if (node) await this.#view.reveal(node, { expand: true, focus: true });
  }

  /** Address of the selected store. */
  get selectedStore(): string | undefined {
    return this.selected?.kind === 'store' ? this.selected.store.address : undefined;
  }

  /** The selected node, for key bindings. */
  get selected(): TreeNode | undefined {
    return this.#view.selection[0];
  }

  #groupsOf(items: readonly SessionListItem[]): GroupNode[] {
    const openFolders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
    const isOfOpenFolder = (item: SessionListItem) => this.sessions.isOfOpenFolder(item);
    const groups = groupSessions(items, this.#grouping, { openFolders, isOfOpenFolder });
    return groups.map((group, index) => ({ kind: 'group', group, isFirst: index === 0 }));
  }

  /** Groups by folder if it is grouped by agent, and the other way round. */
  async groupOtherwise(): Promise<void> {
    this.#grouping = this.#grouping === 'folder' ? 'agent' : 'folder';
    await this.state.update(groupingKey, this.#grouping);
    this.#changed.fire();
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }
}
