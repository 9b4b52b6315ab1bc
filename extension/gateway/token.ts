import { randomBytes } from 'node:crypto';

/** A new secret for agents. */
export function newToken(): string {
  return randomBytes(24).toString('base64url');
}

/** Only characters that a URL path allows. */
export function isToken(text: string): boolean {
  return /^[\w-]{16,}$/.test(text);
}
