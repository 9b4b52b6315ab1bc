import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import * as vscode from 'vscode';
import { openStore } from '../../conversations/stores/places/open-store';
import { isServer, readPlace, sharedPlaces, withoutSecrets } from '../../conversations/stores/places/place';
import { reconnectingStore } from '../../conversations/stores/places/reconnecting-store';
import type { RecordStore, StoredConversation } from '../../conversations/stores/record-store';
import { OperationRefused } from '../../inspection/inspection';
import { failureText, translated } from '../failures/failure-text';
import { type ConfiguredStore, mayNeedPassword, readTenants, withPassword } from './configured-stores';
import type { KnownStores } from './known-stores';

/** The person's answers so far. */
interface Answers {
  readonly place: string;
  readonly tenants: string;
  readonly key: string;
}

const noAnswers: Answers = { place: '', tenants: '', key: '' };

/**
 * Asks for a store, tries it, and saves it. `onAdding` is called before it appears. Where it cannot be used, says why and offers
 * to change the answers. Resolves to the store; undefined if the person gives up.
 */
export async function addStore(
  stores: KnownStores,
  onAdding: (address: string) => void,
): Promise<ConfiguredStore | undefined> {
  for (let answers: Answers | undefined = noAnswers; ; ) {
    answers = await ask(answers);
    if (answers === undefined) return undefined;
    const problem = await tryOut(answers);
    if (problem === null) {
      onAdding(withoutSecrets(answers.place));
      return await saved(stores, answers);
    }
    if (!(await wantsAnotherTry(problem))) return undefined;
  }
}

async function ask(before: Answers): Promise<Answers | undefined> {
  const title = (step: number) => vscode.l10n.t('Add a store of conversations ({0} of 4)', step);
  const asked = await vscode.window.showInputBox({
    title: title(1),
    value: withoutSecrets(before.place),
    placeHolder: 'postgres://strata@db.example.com/strata',
    prompt: vscode.l10n.t('Where the conversations are: {0}.', translated(sharedPlaces)),
    ignoreFocusOut: true,
    validateInput: placeProblem,
  });
  if (asked === undefined) return undefined;
  const place = await withAskedPassword(inHome(asked.trim()), title(2));
  if (place === undefined) return undefined;
  const tenants = await vscode.window.showInputBox({
    title: title(3),
    value: before.tenants,
    placeHolder: 'acme, globex',
    prompt: vscode.l10n.t(
      'Tenants whose conversations to list, with commas between them. Empty: those without a tenant.',
    ),
    ignoreFocusOut: true,
  });
  if (tenants === undefined) return undefined;
  const key = await vscode.window.showInputBox({
    title: title(4),
    prompt: vscode.l10n.t(
      'The key that encrypts the store (STRATA_STORE_KEY). Empty: it is not encrypted. It is stored in the secret storage of the editor.',
    ),
    password: true,
    ignoreFocusOut: true,
  });
  return key === undefined ? undefined : { place, tenants, key: key.trim() };
}

async function withAskedPassword(place: string, title: string): Promise<string | undefined> {
  if (!mayNeedPassword(place)) return place;
  const password = await vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t(
      'The password for {0}. Empty: the server asks for none. It is stored in the secret storage of the editor.',
      place,
    ),
    password: true,
    ignoreFocusOut: true,
  });
  if (password === undefined || password === '') return password === '' ? place : undefined;
  return withPassword(place, password);
}

function inHome(place: string): string {
  return place.startsWith('~/') ? join(homedir(), place.slice(2)) : place;
}

function placeProblem(answer: string): string | undefined {
  const place = inHome(answer.trim());
  if (place === '') return vscode.l10n.t('Enter the address of a store.');
  const found = readPlace(place);
  if (found.kind === 'unknown') return vscode.l10n.t('Strata has no stores of the kind “{0}:”.', found.scheme);
  if (isServer(found.kind)) {
    return URL.canParse(place) ? undefined : vscode.l10n.t('This address is incomplete.');
  }
  return isAbsolute(found.target) ? undefined : vscode.l10n.t('Enter an absolute path, from the root of the disk.');
}

/** The message about invalid answers; null if the store can be used. */
async function tryOut({ place, tenants, key }: Answers): Promise<string | null> {
  const shown = withoutSecrets(place);
  const access = { visits: true, tell: () => undefined, ...(key === '' ? {} : { key }) };
  const store = reconnectingStore(shown, () => openStore(place, access));
  const title = vscode.l10n.t('Looking into {0}…', shown);
  try {
    await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title }, async () => {
      const named = readTenants(tenants);
      for (const tenant of named.length === 0 ? [''] : named) await requireReadable(store, tenant);
    });
    return null;
  } catch (error) {
    return failureText(error);
  } finally {
    await store.close();
  }
}

/** Lists the conversations, and reads a record of the newest, which shows whether it is encrypted. */
async function requireReadable(store: RecordStore, scope: string): Promise<void> {
  const found = await store.list(scope);
  const newest = found.reduce<StoredConversation | null>(
    (best, one) => (best !== null && best.updated > one.updated ? best : one),
    null,
  );
  if (newest === null) return;
  const [record] = await store.read({ scope, id: newest.id }, newest.length - 1);
  if (record !== undefined && !record.startsWith('{')) {
    throw new OperationRefused(vscode.l10n.t('This store is encrypted. Enter its key.'));
  }
}

async function wantsAnotherTry(problem: string): Promise<boolean> {
  const again = vscode.l10n.t('Change…');
  return (await vscode.window.showErrorMessage(problem, again)) === again;
}

async function saved(stores: KnownStores, { place, tenants, key }: Answers): Promise<ConfiguredStore> {
  const store = { address: withoutSecrets(place), tenants: readTenants(tenants) };
  await stores.save(store, {
    ...(place === store.address ? {} : { place }),
    ...(key === '' ? {} : { key }),
  });
  return store;
}
