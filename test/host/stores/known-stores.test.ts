import { readdir } from 'node:fs/promises';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { encryptedStore } from '../../../extension/conversations/stores/encrypted-store';
import { folderStore } from '../../../extension/conversations/stores/folder-store';
import { addStore } from '../../../extension/host/stores/add-store';
import { KnownStores } from '../../../extension/host/stores/known-stores';
import { newFolder } from '../../conversations/stores/stores';

/** Tests of the stores that a person adds: what is stored where, and what the editor asks. */

const editor = vi.hoisted(() => ({
  setting: [] as unknown,
  listeners: [] as ((change: { affectsConfiguration: () => boolean }) => void)[],
  /** The person's entries in the input boxes; undefined: Escape. */
  answers: [] as (string | undefined)[],
  asked: [] as { value?: string; password?: boolean; validateInput?: (text: string) => unknown }[],
  errors: [] as string[],
  pressed: [] as (string | undefined)[],
}));

vi.mock('vscode', () => ({
  EventEmitter: class {
    readonly #listeners: (() => void)[] = [];
    event = (listener: () => void) => void this.#listeners.push(listener);
    fire = () => this.#listeners.forEach((listener) => void listener());
    dispose = () => undefined;
  },
  ConfigurationTarget: { Global: 1 },
  ProgressLocation: { Notification: 15 },
  l10n: { t: (message: string, ...values: unknown[]) => message.replace(/\{(\d)\}/g, (_, at) => String(values[at])) },
  workspace: {
    getConfiguration: () => ({
      get: () => editor.setting,
      update: async (_name: string, value: unknown) => {
        editor.setting = value;
        for (const listener of editor.listeners) listener({ affectsConfiguration: () => true });
      },
    }),
    onDidChangeConfiguration: (listener: (typeof editor.listeners)[number]) => {
      editor.listeners.push(listener);
      return { dispose: () => undefined };
    },
  },
  window: {
    showInputBox: async (options: (typeof editor.asked)[number]) => {
      editor.asked.push(options);
      return editor.answers.shift();
    },
    showErrorMessage: async (message: string) => {
      editor.errors.push(message);
      return editor.pressed.shift();
    },
    withProgress: async (_options: unknown, work: () => Promise<unknown>) => await work(),
  },
}));

const description = { begins: 'b', name: 'thread-1', created: '2026-01-01T00:00:00.000Z' };
const key = 'a1'.repeat(32);
const log = { warn: () => undefined } as never;

function secretStorage() {
  const kept = new Map<string, string>();
  const storage = {
    get: async (name: string) => kept.get(name),
    store: async (name: string, value: string) => void kept.set(name, value),
    delete: async (name: string) => void kept.delete(name),
  };
  return { kept, storage: storage as never };
}

beforeEach(() => {
  Object.assign(editor, { setting: [], listeners: [], answers: [], asked: [], errors: [], pressed: [] });
});

describe('a store that a person adds', () => {
  it('has its address in a setting, and its password and key in the secret storage alone', async () => {
    const { kept, storage } = secretStorage();
    const stores = new KnownStores(storage, log);
    const secrets = { place: 'postgres://ada:secret@db/strata', key };
    await stores.save({ address: 'postgres://ada@db/strata', tenants: ['acme'] }, secrets);
    expect(editor.setting).toEqual([{ address: 'postgres://ada@db/strata', tenants: ['acme'] }]);
    expect([...kept.keys()]).toEqual(['strata.store:postgres://ada@db/strata']);
    expect(stores.named('postgres://ada@db/strata#acme/thread-7')).toMatchObject({ scope: 'acme', name: 'thread-7' });
    expect(stores.named('postgres://ada@elsewhere/strata#acme/thread-7')).toBe(null);
    expect(stores.named('/home/ada/a#b.jsonl')).toBe(null);
    await stores.remove('postgres://ada@db/strata');
    expect([editor.setting, kept.size]).toEqual([[], 0]);
  });

  it('is opened with its key, and closed when it is removed', async () => {
    const folder = await newFolder('known');
    await encryptedStore(folderStore({ folder }), key).append({ scope: '', id: 'one' }, 0, ['{}'], description);
    const stores = new KnownStores(secretStorage().storage, log);
    await stores.save({ address: folder, tenants: [] }, { key });
    const store = stores.at(folder);
    expect((await store.list('')).map(({ name }) => name)).toEqual(['thread-1']);
    expect(stores.at(folder)).toBe(store);
    await stores.remove(folder);
    await expect(store.list('')).rejects.toThrow(`The store ${folder} was closed.`);
    await expect(stores.at(folder).list('')).rejects.toThrow('was removed from this editor');
  });

  it('with a password in its setting is not opened, and a message says where passwords belong', async () => {
    editor.setting = [{ address: 'postgres://ada:secret@127.0.0.1:1/strata' }];
    const stores = new KnownStores(secretStorage().storage, log);
    const [store] = stores.all;
    await expect(stores.at(store?.address ?? '').list('')).rejects.toThrow(
      'An address in the settings has a password.',
    );
  });
});

describe('adding a store', () => {
  it('tries it, says what is wrong, and keeps what works', async () => {
    const folder = await newFolder('added');
    await encryptedStore(folderStore({ folder }), key).append({ scope: 'acme', id: 'one' }, 0, ['{}'], description);
    const { kept, storage } = secretStorage();
    const stores = new KnownStores(storage, log);
    const added: string[] = [];
    editor.answers = [
      `${folder}/none`,
      'acme',
      '',
      folder,
      'acme',
      '',
      folder,
      'acme',
      'b2'.repeat(32),
      folder,
      'acme',
      key,
    ];
    editor.pressed = ['Change…', 'Change…', 'Change…'];
    expect(await addStore(stores, (address) => added.push(address))).toEqual({ address: folder, tenants: ['acme'] });
    expect(editor.errors).toEqual([
      `There is nothing at ${folder}/none`,
      'This store is encrypted, and there is no key for it',
      expect.stringContaining('This store was written with another key'),
    ]);
    expect(added).toEqual([folder]);
    expect(kept.get(`strata.store:${folder}`)).toBe(JSON.stringify({ key }));
    // The folder of the tenant, the mark of the store, and the count of its records.
    expect(await readdir(folder)).toHaveLength(3);
  });

  it('asks for the password of a server, which it does not show again', async () => {
    const stores = new KnownStores(secretStorage().storage, log);
    editor.answers = ['postgres://ada@127.0.0.1:1/strata', 'secret', '', '', undefined];
    editor.pressed = ['Change…'];
    expect(await addStore(stores, () => undefined)).toBe(undefined);
    expect(editor.asked.map(({ password }) => password ?? false)).toEqual([false, true, false, true, false]);
    expect(editor.errors[0]).toMatch(/^The call `list` of the store postgres:\/\/ada@127.0.0.1:1\/strata failed: /);
    expect(JSON.stringify([editor.errors, editor.asked.map(({ value }) => value)])).not.toContain('secret');
    expect(editor.setting).toEqual([]);
  });

  it('refuses an invalid address before trying it', async () => {
    const stores = new KnownStores(secretStorage().storage, log);
    editor.answers = [undefined];
    await addStore(stores, () => undefined);
    const problem = (text: string) => editor.asked[0]?.validateInput?.(text);
    expect(['', 'mysql://db', 'postgres://db:port', 'a/folder', 'sqlite:strata.db'].map(problem)).toEqual([
      'Enter the address of a store.',
      'Strata has no stores of the kind “mysql:”.',
      'This address is incomplete.',
      'Enter an absolute path, from the root of the disk.',
      'Enter an absolute path, from the root of the disk.',
    ]);
    expect(['postgres://db/a', '/srv/strata', 'sqlite:/srv/a.db', '~/strata'].map(problem)).toEqual(
      Array(4).fill(undefined),
    );
  });
});
