import { createHash } from 'node:crypto';
import { newToken } from '../token';

/** Scope of each tenant by the SHA-256 of its token: the tokens themselves are stored nowhere. */
export type Tenants = ReadonlyMap<string, string>;

/** A line of a file of tenants cannot be read; the message names it. */
export class TenantsUnreadable extends Error {
  override name = 'TenantsUnreadable';
}

/** Reads lines of the form `NAME sha256:DIGITS`. Empty lines and those that begin with `#` are left out. */
export function tenantsIn(text: string, file: string): Tenants {
  const tenants = new Map<string, string>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [, name, hash] = /^(\S+)\s+sha256:([0-9a-f]{64})\s*$/.exec(line) ?? [];
    const place = `${file}:${index + 1}`;
    if (name === undefined || hash === undefined)
      throw new TenantsUnreadable(`${place}: expected "NAME sha256:" and 64 hexadecimal digits`);
    if (tenants.has(hash)) throw new TenantsUnreadable(`${place}: this token is that of another tenant too`);
    tenants.set(hash, name);
  }
  if (tenants.size === 0) throw new TenantsUnreadable(`${file}: there is no tenant in it`);
  return tenants;
}

/** Tokens are random and long, so a plain hash cannot be guessed. */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** A new token, with the line for it in the file of tenants. */
export function newTenant(name: string): { readonly token: string; readonly line: string } {
  const token = newToken();
  return { token, line: `${name} sha256:${hashOfToken(token)}` };
}
