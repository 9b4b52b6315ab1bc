import { randomBytes } from 'node:crypto';

/** What an agent has to know to be let through. */
export function newToken(): string {
  return randomBytes(24).toString('base64url');
}

/** It stands in a path, so it is made of letters that can. */
export function isToken(text: string): boolean {
  return /^[\w-]{16,}$/.test(text);
}
