import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { type MarkedStore, markedStore } from './marked-store';
import type { ConversationDescription, RecordKey, RecordStore, StoredConversation } from './record-store';

/** The key is none, or what is stored was written with another one. */
export class WrongKey extends Error {
  override name = 'WrongKey';
}

const keyBytes = 32;

/**
 * A store whose content nobody can read without the key: 32 bytes, as base64 or as hexadecimal digits. Records are encrypted
 * and bound to their place (AES-256-GCM), beginnings are hashed with the key. Scopes, ids, lengths and times are not hidden.
 * A store that was begun with another key rejects everything with `WrongKey`.
 */
export function encryptedStore(inner: RecordStore, key: string): MarkedStore {
  const secret = bytesOf(key);
  const derived = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, '', `strata ${purpose}`, keyBytes));
  const sealing = derived('records');
  const hashing = derived('beginnings');

  function sealed(text: string, about: string): string {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', sealing, nonce).setAAD(Buffer.from(about));
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
  }

  function opened(text: string, about: string): string {
    const bytes = Buffer.from(text, 'base64');
    const body = bytes.subarray(nonceBytes + tagBytes);
    try {
      const decipher = createDecipheriv('aes-256-gcm', sealing, bytes.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      });
      decipher.setAAD(Buffer.from(about)).setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
    } catch (error) {
      throw new WrongKey(`A record cannot be read with this key (${about}).`, { cause: error });
    }
  }

  const hashed = (scope: string, begins: string) =>
    createHmac('sha256', hashing)
      .update(JSON.stringify([scope, begins]))
      .digest('hex')
      .slice(0, 32);
  const place = ({ scope, id }: RecordKey, at: number | 'description') => JSON.stringify([scope, id, at]);

  function sealedDescription(key: RecordKey, { begins, name, created }: ConversationDescription) {
    const about = sealed(JSON.stringify({ begins, name }), place(key, 'description'));
    return { begins: hashed(key.scope, begins), name: about, created };
  }

  const openedDescriptions = (scope: string, found: readonly StoredConversation[]) =>
    found.map((one) => {
      const { begins, name } = JSON.parse(opened(one.name ?? '', place({ scope, id: one.id }, 'description')));
      return { ...one, begins, name };
    });

  const store = markedStore(inner, {
    make: () => sealed(markText, markText),
    faultOf: (mark) => (isOwn(mark) ? null : new WrongKey('This store was written with another key, or without one.')),
  });

  function isOwn(mark: string): boolean {
    try {
      return opened(mark, markText) === markText;
    } catch {
      return false;
    }
  }

  return {
    check: () => store.check(),
    claim: () => store.claim(),
    async read(key, from) {
      const records = await store.read(key, from);
      return records.map((record, index) => opened(record, place(key, from + index)));
    },
    append: (key, expected, records, description) =>
      store.append(
        key,
        expected,
        records.map((record, index) => sealed(record, place(key, expected + index))),
        sealedDescription(key, description),
      ),
    find: async (scope, beginnings) =>
      openedDescriptions(
        scope,
        await store.find(
          scope,
          beginnings.map((begins) => hashed(scope, begins)),
        ),
      ),
    list: async (scope) => openedDescriptions(scope, await store.list(scope)),
    delete: (key) => store.delete(key),
    prune: (before) => store.prune(before),
    close: () => store.close(),
  };
}

const markText = 'encrypted';
const nonceBytes = 12;
const tagBytes = 16;

function bytesOf(key: string): Buffer {
  const bytes = /^[0-9a-f]{64}$/i.test(key) ? Buffer.from(key, 'hex') : Buffer.from(key, 'base64');
  if (bytes.length === keyBytes) return bytes;
  throw new WrongKey('A key has 32 bytes, as base64 or as 64 hexadecimal digits. `openssl rand -base64 32` makes one.');
}
