import * as vscode from 'vscode';
import { type Reconnecting, reconnectingStore } from '../../conversations/stores/places/reconnecting-store';
import type { RecordStore } from '../../conversations/stores/record-store';
import { readStoredAddress, type StoredName } from '../../conversations/stores/stored-address';
import { OperationRefused } from '../../inspection/inspection';
import { settingsSection } from '../settings';
import {
  type ConfiguredStore,
  decodeSecrets,
  encodeSecrets,
  hasSecrets,
  readConfiguredStores,
  type StoreSecrets,
  secretName,
} from './configured-stores';

const storesSetting = 'stores';

/**
 * The stores that the person added. Their addresses are in a setting that a workspace cannot set; passwords and keys are in the secret
 * storage. A store is opened when it is first used.
 */
export class KnownStores implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  /** A store was added, changed or removed. */
  readonly onDidChange = this.#changed.event;
  readonly #opened = new Map<string, Reconnecting>();
  readonly #configuration: vscode.Disposable;

  constructor(
    private readonly secrets: vscode.SecretStorage,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.#configuration = vscode.workspace.onDidChangeConfiguration((change) => {
      if (!change.affectsConfiguration(`${settingsSection}.${storesSetting}`)) return;
      this.#closeRemoved();
      this.#changed.fire();
    });
  }

  get all(): readonly ConfiguredStore[] {
    return readConfiguredStores(vscode.workspace.getConfiguration(settingsSection).get(storesSetting));
  }

  /** The conversation that an address names, if it is in one of these stores; else null. */
  named(address: string): StoredName | null {
    const named = readStoredAddress(address);
    return named !== null && this.#find(named.place) ? named : null;
  }

  /** The store at an address, opened with its first call. */
  at(address: string): RecordStore {
    const known = this.#opened.get(address) ?? reconnectingStore(address, () => this.#open(address));
    this.#opened.set(address, known);
    return known;
  }

  /** Saves a store and its secrets, in the place of one with the same address. */
  async save(store: ConfiguredStore, secrets: StoreSecrets): Promise<void> {
    await this.secrets.store(secretName(store.address), encodeSecrets(secrets));
    this.#close(store.address);
    const others = this.all.filter(({ address }) => address !== store.address);
    await this.#write([...others, store]);
    this.#changed.fire();
  }

  /** Nothing in the store changes. */
  async remove(address: string): Promise<void> {
    await this.#write(this.all.filter((store) => store.address !== address));
    await this.secrets.delete(secretName(address));
    this.#close(address);
  }

  async #open(address: string): Promise<RecordStore> {
    const store = this.#find(address);
    if (!store) throw new OperationRefused(vscode.l10n.t('The store {0} was removed from this editor.', address));
    if (hasSecrets(store)) {
      throw new OperationRefused(
        vscode.l10n.t(
          'An address in the settings has a password. Remove the address there, and add the store with “Strata: Add Store…”, which puts the password into the secret storage.',
        ),
      );
    }
    const { place = address, key } = decodeSecrets(await this.secrets.get(secretName(address)));
    const { openStore } = await import('../../conversations/stores/places/open-store');
    return await openStore(place, { key, visits: true, tell: (message) => this.log.warn(`${address}: ${message}`) });
  }

  #find(address: string): ConfiguredStore | undefined {
    return this.all.find((store) => store.address === address);
  }

  async #write(stores: readonly ConfiguredStore[]): Promise<void> {
    const configuration = vscode.workspace.getConfiguration(settingsSection);
    await configuration.update(storesSetting, stores, vscode.ConfigurationTarget.Global);
  }

  #closeRemoved(): void {
    for (const address of this.#opened.keys()) if (!this.#find(address)) this.#close(address);
  }

  #close(address: string): void {
    const store = this.#opened.get(address);
    this.#opened.delete(address);
    store?.close().catch((error: unknown) => this.log.warn(`Closing ${address} failed: ${error}`));
  }

  dispose(): void {
    this.#configuration.dispose();
    this.#changed.dispose();
    for (const address of [...this.#opened.keys()]) this.#close(address);
  }
}
