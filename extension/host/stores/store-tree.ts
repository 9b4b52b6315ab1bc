import type { KnownStores } from './known-stores';
import { type ListPlace, listName, StoreLists } from './store-lists';
import type { ConversationNode, MessageNode, StoreNode, StoreTreeNode, TenantNode } from './store-nodes';

/** Conversations of one list that are shown at first, and further ones each time: a tree paints all that it is given. */
const pageSize = 200;

/** The part of the Sessions view that has stores: by store and tenant, newest first. */
export class StoreTree {
  readonly lists: StoreLists;
  readonly #pages = new Map<string, number>();
  /** Address of the store that was added last. */
  #added: string | null = null;

  constructor(private readonly stores: Pick<KnownStores, 'all' | 'at'>) {
    this.lists = new StoreLists((address) => stores.at(address));
  }

  get roots(): readonly StoreNode[] {
    return this.stores.all.map((store) => ({ kind: 'store', store, isNew: store.address === this.#added }));
  }

  /** Shows what is in a store when it appears. */
  noteAdded(address: string): void {
    this.#added = address;
  }

  async childrenOf(node: StoreTreeNode): Promise<readonly StoreTreeNode[]> {
    switch (node.kind) {
      case 'store': {
        const places = placesOf(node);
        const [only] = places;
        if (places.length === 1 && only) return await this.#conversations(only, node);
        return places.map((place) => ({ kind: 'tenant', place, parent: node }));
      }
      case 'tenant':
        return await this.#conversations(node.place, node);
      default:
        return [];
    }
  }

  parentOf(node: StoreTreeNode): StoreTreeNode | undefined {
    return node.kind === 'store' ? undefined : node.parent;
  }

  /** Shows further conversations of a list from now on. */
  showMore(place: ListPlace): void {
    const name = listName(place);
    this.#pages.set(name, (this.#pages.get(name) ?? 1) + 1);
  }

  async #conversations(place: ListPlace, parent: StoreNode | TenantNode): Promise<readonly StoreTreeNode[]> {
    const list = await this.lists.read(place);
    const shown = pageSize * (this.#pages.get(listName(place)) ?? 1);
    const nodes = list.conversations
      .slice(0, shown)
      .map((conversation): ConversationNode => ({ kind: 'conversation', place, conversation, parent }));
    const say = (message: MessageNode['message']): MessageNode => ({ kind: 'message', place, parent, message });
    if (list.kind === 'failed') return [say({ kind: 'failed', error: list.error }), ...nodes];
    const left = list.conversations.length - nodes.length;
    if (left > 0) return [...nodes, say({ kind: 'more', left })];
    return nodes.length === 0 ? [say({ kind: 'none' })] : nodes;
  }
}

export function placesOf({ store: { address, tenants } }: StoreNode): readonly ListPlace[] {
  return (tenants.length === 0 ? [''] : tenants).map((tenant) => ({ address, tenant }));
}
