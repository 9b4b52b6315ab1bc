import { describe, expect, it, vi } from 'vitest';
import { memoryStore } from '../../../extension/conversations/stores/memory-store';
import type { RecordStore, StoredConversation } from '../../../extension/conversations/stores/record-store';
import { StoreLists } from '../../../extension/host/stores/store-lists';
import {
  addressOf,
  conversationTooltip,
  isStoreTreeNode,
  type StoreTreeNode,
  storeItem,
} from '../../../extension/host/stores/store-nodes';
import { StoreTree } from '../../../extension/host/stores/store-tree';

/** Tests of the stores in the Sessions view. */

vi.mock('vscode', async () => (await import('../tree-api')).treeApi);

const address = 'postgres://ada@db/strata';
const now = Date.UTC(2026, 0, 10, 12);

function stored(at: number, over: Partial<StoredConversation> = {}): StoredConversation {
  const updated = new Date(now - at * 60_000).toISOString();
  return { id: `id-${at}`, name: `thread-${at}`, begins: '', created: updated, updated, length: 12, ...over };
}

/** A store with these lists; a missing tenant cannot be listed. */
function listing(lists: Readonly<Record<string, readonly StoredConversation[]>>) {
  const asked: string[] = [];
  const list: RecordStore['list'] = async (scope) => {
    asked.push(scope);
    const found = lists[scope];
    if (!found) throw new Error('connection refused');
    return found;
  };
  return { asked, store: { ...memoryStore(), list } };
}

function treeOf(store: RecordStore, ...tenants: readonly string[]) {
  const tree = new StoreTree({ all: [{ address, tenants }], at: () => store });
  const [root] = tree.roots;
  if (!root) throw new Error('There is no root.');
  return { tree, root };
}

const labels = (nodes: readonly StoreTreeNode[]) => nodes.map((node) => storeItem(node, now).label);

describe('a store in the Sessions view', () => {
  it('has its conversations newest first, with their keys, sizes and ages', async () => {
    const { store } = listing({ '': [stored(5), stored(1), stored(600, { name: null })] });
    const { tree, root } = treeOf(store);
    expect(storeItem(root, now)).toMatchObject({
      ...{ label: 'db/strata', description: 'Postgres', contextValue: 'store', collapsibleState: 1 },
      iconPath: { id: 'database' },
      accessibilityInformation: { label: 'Store db/strata, Postgres' },
    });
    const nodes = await tree.childrenOf(root);
    expect(labels(nodes)).toEqual(['thread-1', 'thread-5', 'id-600']);
    const [first] = nodes;
    if (!first) return;
    expect(storeItem(first, now)).toMatchObject({
      ...{ description: '12 records · 1 min. ago', contextValue: 'conversation' },
      iconPath: { id: 'comment' },
      command: { command: 'strata.sessions.open' },
      accessibilityInformation: { label: 'Conversation thread-1, 12 records, 1 min. ago' },
    });
    expect(storeItem(first, now).tooltip).toBe(undefined);
    expect(first.kind === 'conversation' && conversationTooltip(first)).toContain(address);
    expect(tree.parentOf(first)).toEqual(root);
    expect(await tree.childrenOf(first)).toEqual([]);
  });

  it('has a node for each of several tenants, and none for a single one', async () => {
    const { store } = listing({ acme: [stored(1)], globex: [] });
    const { tree, root } = treeOf(store, 'acme', 'globex');
    const [acme, globex] = await tree.childrenOf(root);
    if (acme?.kind !== 'tenant' || globex?.kind !== 'tenant') throw new Error('There are no tenants.');
    expect(labels([acme, globex])).toEqual(['acme', 'globex']);
    const [conversation] = await tree.childrenOf(acme);
    if (conversation?.kind !== 'conversation') throw new Error('There is no conversation.');
    expect(addressOf(conversation)).toBe(`${address}#acme/thread-1`);
    expect(labels(await tree.childrenOf(globex))).toEqual(['No conversations']);
    const single = treeOf(store, 'acme');
    expect(storeItem(single.root, now).description).toBe('Postgres · acme');
    expect(labels(await single.tree.childrenOf(single.root))).toEqual(['thread-1']);
  });

  it('shows thousands a page at a time, of one reading', async () => {
    const { store, asked } = listing({ '': Array.from({ length: 4_500 }, (_, at) => stored(at)) });
    const { tree, root } = treeOf(store);
    const first = await tree.childrenOf(root);
    expect([first.length, labels(first).at(-1)]).toEqual([201, '4,300 more…']);
    tree.showMore({ address, tenant: '' });
    const second = await tree.childrenOf(root);
    expect([second.length, labels(second).at(-1)]).toEqual([401, '4,100 more…']);
    expect(asked).toEqual(['']);
    expect(second.every(isStoreTreeNode)).toBe(true);
  });

  it('says why it cannot be read, above what was read before', async () => {
    const lists: Record<string, readonly StoredConversation[]> = { '': [stored(1)] };
    const { store } = listing(lists);
    const { tree, root } = treeOf(store);
    await tree.childrenOf(root);
    delete lists[''];
    tree.lists.forget();
    const nodes = await tree.childrenOf(root);
    expect(labels(nodes)).toEqual(['connection refused', 'thread-1']);
    expect(nodes[0] && storeItem(nodes[0], now).command).toMatchObject({ command: 'strata.sessions.refresh' });
  });
});

describe('the lists of stores', () => {
  it('are read again only after they were forgotten; with an age, only the old ones', async () => {
    const { store, asked } = listing({ a: [], b: [] });
    let time = 0;
    const lists = new StoreLists(
      () => store,
      () => time,
    );
    await lists.read({ address, tenant: 'a' });
    time = 1000;
    await Promise.all([lists.read({ address, tenant: 'b' }), lists.read({ address, tenant: 'b' })]);
    expect(lists.forget(500)).toBe(true);
    await Promise.all([lists.read({ address, tenant: 'a' }), lists.read({ address, tenant: 'b' })]);
    expect(asked).toEqual(['a', 'b', 'a']);
    expect(lists.forget(500)).toBe(false);
  });
});
