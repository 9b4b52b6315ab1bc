import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeSecrets,
  encodeSecrets,
  hasSecrets,
  mayNeedPassword,
  readConfiguredStores,
  readTenants,
  withPassword,
} from '../../../extension/host/stores/configured-stores';

/** Tests of stores in the settings and the secret storage. */

describe('the setting of stores', () => {
  it('is read as far as it makes sense', () => {
    expect(
      readConfiguredStores([
        { address: 'postgres://db/a', tenants: ['acme', '', 7, 'acme', 'globex'] },
        { address: 'postgres://db/a', tenants: [] },
        { address: '/srv/strata' },
        ...[{ address: ' ' }, { tenants: ['x'] }, 'text', null],
      ]),
    ).toEqual([
      { address: 'postgres://db/a', tenants: ['acme', 'globex'] },
      { address: '/srv/strata', tenants: [] },
    ]);
  });

  it('may have any shape', () => {
    fc.assert(fc.property(fc.anything(), (setting) => Array.isArray(readConfiguredStores(setting))));
  });

  it('must not contain a password', () => {
    expect(hasSecrets({ address: 'postgres://ada:secret@db/a', tenants: [] })).toBe(true);
    expect(hasSecrets({ address: 'postgres://ada@db/a', tenants: [] })).toBe(false);
  });
});

describe('the secrets of a store', () => {
  it('are read back as they were kept', () => {
    const secrets = { place: 'postgres://ada:secret@db/a', key: 'a1'.repeat(32) };
    expect(decodeSecrets(encodeSecrets(secrets))).toEqual(secrets);
    expect(decodeSecrets(undefined)).toEqual({});
  });

  it('come from a question of their own if the address has no password', () => {
    expect(
      ['postgres://ada@db/a', 'redis://db', 'postgres://ada:x@db/a', 'sqlite:/a', '/a'].map(mayNeedPassword),
    ).toEqual([true, true, false, false, false]);
    const place = withPassword('postgres://ada@db/a', 'p@ss/w:rd');
    expect(decodeURIComponent(new URL(place).password)).toBe('p@ss/w:rd');
    expect(withPassword('redis://db:6379', 'secret')).toBe('redis://:secret@db:6379');
  });

  it('have nothing to do with the tenants, which a person writes with commas', () => {
    expect(readTenants(' acme, globex ,,acme')).toEqual(['acme', 'globex']);
    expect(readTenants('')).toEqual([]);
  });
});
