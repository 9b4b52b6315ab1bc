import * as vscode from 'vscode';
import { storeCommandIds } from '../command-ids';
import { isConfirmed } from '../dialogs';
import { failureText } from '../failures/failure-text';
import { registerHandlers } from '../failures/telling-failures';
import type { Inspector } from '../inspector';
import type { Placements } from '../panel/placements';
import type { SessionTree } from '../session-tree/session-tree';
import { relativeTime } from '../view/relative-time';
import type { KnownStores } from './known-stores';
import type { ListPlace } from './store-lists';
import { addressOf, kindName, shortAddress, tenantName } from './store-nodes';
import { placesOf } from './store-tree';

interface StoreServices {
  readonly stores: KnownStores;
  readonly tree: SessionTree;
  readonly inspector: Inspector;
  readonly placements: Placements;
  readonly log: vscode.LogOutputChannel;
}

/** A node of the Sessions view, or any argument from a key binding. */
type Argument = { readonly kind?: unknown; readonly store?: { readonly address: string } } | undefined;

export function registerStoreCommands(services: StoreServices): vscode.Disposable {
  const { stores, tree, log } = services;
  const handlers: Record<(typeof storeCommandIds)[keyof typeof storeCommandIds], (argument: never) => unknown> = {
    [storeCommandIds.add]: () => add(services),
    [storeCommandIds.remove]: (node: Argument) => remove(stores, node?.store?.address ?? tree.selectedStore),
    [storeCommandIds.openConversation]: () => openConversation(services),
    [storeCommandIds.showMore]: (place: ListPlace) => tree.showMore(place),
  };
  return registerHandlers(log, handlers);
}

async function add({ stores, tree }: StoreServices): Promise<void> {
  const { addStore } = await import('./add-store');
  const store = await addStore(stores, (address) => tree.stores.noteAdded(address));
  if (store) await tree.revealStore(store);
}

async function remove(stores: KnownStores, asked: string | undefined): Promise<void> {
  const address = asked ?? (await chooseStore(stores));
  if (address === undefined) return;
  const question = vscode.l10n.t('Remove this store from the editor?');
  const effect = vscode.l10n.t('Nothing in the store changes. Its password and key are deleted here.');
  const detail = `${address}\n\n${effect}`;
  if (await isConfirmed(question, vscode.l10n.t('Remove'), detail)) await stores.remove(address);
}

async function chooseStore(stores: KnownStores): Promise<string | undefined> {
  const picks = stores.all.map(({ address, tenants }) => ({
    label: shortAddress(address),
    description: [kindName(address), ...tenants].join(' · '),
    address,
  }));
  return (await vscode.window.showQuickPick(picks, { title: vscode.l10n.t('Store to remove') }))?.address;
}

/** A search over all conversations of all stores. */
async function openConversation({ stores, tree, inspector, placements }: StoreServices): Promise<void> {
  if (stores.all.length === 0) {
    await vscode.commands.executeCommand(storeCommandIds.add);
    return;
  }
  const chosen = await vscode.window.showQuickPick(conversationPicks(tree), {
    title: vscode.l10n.t('Conversation to inspect'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (!chosen) return;
  await inspector.open(chosen.address);
  await placements.show();
}

async function conversationPicks(tree: SessionTree) {
  const places = tree.stores.roots.flatMap(placesOf);
  const lists = await Promise.all(places.map(async (place) => ({ place, list: await tree.stores.lists.read(place) })));
  const failed = lists.flatMap(({ list }) => (list.kind === 'failed' ? [failureText(list.error)] : []));
  if (failed.length > 0) void vscode.window.showWarningMessage([...new Set(failed)].join('\n'));
  const now = Date.now();
  return lists.flatMap(({ place, list }) =>
    list.conversations.map((conversation) => ({
      label: conversation.name ?? conversation.id,
      description: relativeTime(Date.parse(conversation.updated), now, vscode.env.language),
      detail: [shortAddress(place.address), tenantName(place.tenant)].join(' · '),
      address: addressOf({ place, conversation }),
    })),
  );
}
