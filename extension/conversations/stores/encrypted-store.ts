import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { localizable } from '../../engine/wording/localizable-text';
import { countedStore } from './counted-store';
import { lossIn, lostRecord } from './lost-record';
import { type MarkedStore, markedStore } from './marked-store';
import type { ConversationDescription, RecordKey, RecordStore, StoredConversation } from './record-store';

/** The key is malformed, or the content was written with another key. */
export class WrongKey extends Error {
  override name = 'WrongKey';
}

const keyBytes = 32;

/**
 * A store whose content cannot be read without the key: 32 bytes, as base64 or as hexadecimal digits. Records are encrypted and bound to
 * their place (AES-256-GCM), so a record that was changed or moved is lost; beginnings are hashed with the key. Scopes, ids, lengths and
 * times are not hidden. The number of records is kept beside each conversation, so a record that was cut off at the end counts as lost too.
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

  /** Null if it was changed, or written for another place. */
  function opened(text: string, about: string): string | null {
    const bytes = Buffer.from(text, 'base64');
    const body = bytes.subarray(nonceBytes + tagBytes);
    try {
      const decipher = createDecipheriv('aes-256-gcm', sealing, bytes.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      });
      decipher.setAAD(Buffer.from(about)).setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes));
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
    } catch {
      return null;
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

  /** If its description is damaged, the conversation has no name and is not found by its beginning. */
  const openedDescription = (scope: string, one: StoredConversation): StoredConversation => {
    const about = opened(one.name ?? '', place({ scope, id: one.id }, 'description'));
    const { begins, name } = about === null ? { begins: '', name: null } : JSON.parse(about);
    return { ...one, begins, name };
  };

  const openedRecord = (record: string, about: string) =>
    lossIn(record) === null ? (opened(record, about) ?? lostRecord(localizable('it cannot be decrypted'))) : record;

  const marked = markedStore(inner, {
    make: () => sealed(markText, markText),
    faultOf: (mark) => (isOwn(mark) ? null : new WrongKey('This store was written with another key, or without one.')),
  });
  const store = countedStore(marked, { sealed, opened });

  function isOwn(mark: string): boolean {
    return opened(mark, markText) === markText;
  }

  return {
    ...store,
    async read(key, from) {
      const records = await store.read(key, from);
      return records.map((record, index) => openedRecord(record, place(key, from + index)));
    },
    append: (key, expected, records, description) =>
      store.append(
        key,
        expected,
        records.map((record, index) => sealed(record, place(key, expected + index))),
        sealedDescription(key, description),
      ),
    async find(scope, beginnings) {
      const hashes = beginnings.map((begins) => hashed(scope, begins));
      const found = (await store.find(scope, hashes)).map((one) => openedDescription(scope, one));
      return found.filter(({ begins }) => beginnings.includes(begins));
    },
    list: async (scope) => (await store.list(scope)).map((one) => openedDescription(scope, one)),
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
