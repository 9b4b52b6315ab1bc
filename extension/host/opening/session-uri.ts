import { isAbsolute } from 'node:path';

/** A parsed link to a session. */
export type SessionLink =
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'session'; readonly agent: string; readonly id: string }
  | { readonly kind: 'malformed'; readonly reason: LinkFault };

/** `not-plain`: contains invisible or bidirectional control characters. */
export type LinkFault = 'unknown-action' | 'nothing-named' | 'relative-path' | 'not-plain';

/** Control and format characters (also bidirectional), surrogates, and line and paragraph separators. */
const invisibleCharacter = /[\p{Cc}\p{Cf}\u2028\u2029]|\p{Cs}/u;

/** Such a text may not mean what a person sees. */
export function hasInvisibleCharacters(text: string): boolean {
  return invisibleCharacter.test(text);
}

const fileMark = 'file=';

/**
 * Parses `/open?file=<absolute path>` and `/open?agent=<agent>&id=<session>`. VS Code has already decoded the query, so
 * an `&` in a path looks like a separator. Therefore everything after `file=` is the path.
 */
export function readSessionLink({ path, query }: { readonly path: string; readonly query: string }): SessionLink {
  if (path !== '/open') return malformed('unknown-action');
  if (hasInvisibleCharacters(query)) return malformed('not-plain');
  if (query.startsWith(fileMark)) return fileLink(query.slice(fileMark.length));
  const fields = new Map(query.split('&').map(fieldOf));
  const agent = fields.get('agent');
  const id = fields.get('id');
  return agent && id ? { kind: 'session', agent, id } : malformed('nothing-named');
}

function fileLink(file: string): SessionLink {
  if (file === '') return malformed('nothing-named');
  return isAbsolute(file) ? { kind: 'file', file } : malformed('relative-path');
}

function fieldOf(text: string): [string, string] {
  const at = text.indexOf('=');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function malformed(reason: LinkFault): SessionLink {
  return { kind: 'malformed', reason };
}
