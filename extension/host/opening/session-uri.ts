import { isAbsolute } from 'node:path';

/** What a link to a session asks for. */
export type SessionLink =
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'session'; readonly agent: string; readonly id: string }
  | { readonly kind: 'malformed'; readonly reason: LinkFault };

/** `not-plain`: it has characters that are not seen, or turn the words around them. */
export type LinkFault = 'unknown-action' | 'nothing-named' | 'relative-path' | 'not-plain';

/** Neither seen nor typed by a person: control, format (also bidirectional), and line or paragraph separators. */
const unseen = /[\p{Cc}\p{Cf}\u2028\u2029]|\p{Cs}/u;

/** What such characters say cannot be told from what is seen of them. */
export function hasUnseen(text: string): boolean {
  return unseen.test(text);
}

const fileMark = 'file=';

/**
 * Reads `/open?file=<absolute path>` and `/open?agent=<agent>&id=<session>`. The query is the editor's own, decoded once
 * already: an `&` of a path looks like one between fields, so a path is all that comes after `file=`.
 */
export function readSessionLink({ path, query }: { readonly path: string; readonly query: string }): SessionLink {
  if (path !== '/open') return malformed('unknown-action');
  if (hasUnseen(query)) return malformed('not-plain');
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
