import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPlace, withoutSecrets } from '../../../extension/conversations/stores/places/place';
import { readStoredAddress, storedAddress } from '../../../extension/conversations/stores/stored-address';

/** Tests of the names of stores and of the conversations in them. */

describe('the address of a conversation in a store', () => {
  it('is read back as what it was made of, whatever is in the names', () => {
    const name = fc.string({ minLength: 1, unit: 'binary' });
    fc.assert(
      fc.property(name, fc.option(name, { nil: undefined }), (one, scope) => {
        const named = { place: 'postgres://me@db/strata', ...(scope === undefined ? {} : { scope }), name: one };
        expect(readStoredAddress(storedAddress(named))).toEqual(named);
      }),
    );
  });

  it('can be read by a person', () => {
    expect(storedAddress({ place: 'redis://db', scope: 'acme', name: 'thread-7' })).toBe('redis://db#acme/thread-7');
    expect(storedAddress({ place: '/srv/strata', name: 'a/b#c' })).toBe('/srv/strata#a%2Fb%23c');
  });

  it.each(['/home/ada/session.jsonl', 'C:\\sessions\\a.jsonl', '', '#x', 'a#', 'a#b/c/d', 'a#/b'])(
    'is not accepted if it is not one: %j',
    (address) => expect(readStoredAddress(address)).toBe(null),
  );
});

describe('the place of a store', () => {
  it.each([
    ['postgres://ada:secret@db/strata', 'postgres://ada@db/strata'],
    ['postgres://ada:p@ss:w/rd@db:5432/strata?sslmode=require', 'postgres://ada@db:5432/strata?sslmode=require'],
    ['redis://:secret@db', 'redis://db'],
    ['postgres://db/strata?user=ada&password=secret', 'postgres://db/strata?user=ada&password='],
    ['postgres://ada@db/strata', 'postgres://ada@db/strata'],
    ['sqlite:/srv/a:b@c.db', 'sqlite:/srv/a:b@c.db'],
    ['/srv/strata', '/srv/strata'],
  ])('is shown without its password: %s', (place, shown) => expect(withoutSecrets(place)).toBe(shown));

  it('shows nothing of any password, encoded or not', () => {
    const password = fc.string({ minLength: 6, unit: fc.constantFrom(...'aZ09:/@#?&=%+ '.split('')) });
    fc.assert(
      fc.property(password, (secret) => {
        for (const written of [secret, encodeURIComponent(secret)]) {
          expect(withoutSecrets(`postgres://ada:${written}@db/strata`)).toBe('postgres://ada@db/strata');
        }
      }),
    );
  });

  it('has a kind', () => {
    const kinds = ['postgresql://a', 'rediss://a', 'sqlite:a', 'pglite:a', 'C:\\a', 'mysql://a'].map(
      (place) => readPlace(place).kind,
    );
    expect(kinds).toEqual(['postgres', 'redis', 'sqlite', 'pglite', 'folder', 'unknown']);
  });
});
