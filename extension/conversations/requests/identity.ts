import { hashOf } from '../../middleware/recognition/chain';
import type { Beginning } from '../../sessions/strata/records';

/**
 * The beginning of the conversation with a key. Its id depends on key and scope alone, so that all processes compute the same.
 * No request begins with this id, so a request without a key never continues this conversation. `branch`: names one of several
 * histories with this key.
 */
export function keyedBeginning(key: string, scope: string | undefined, created: string, branch?: string): Beginning {
  const id = `key-${hashOf(JSON.stringify([scope ?? null, key, ...(branch === undefined ? [] : [branch])]))}`;
  return { id, begins: id, created, key, ...(scope === undefined ? {} : { scope }) };
}

/** The beginning of a conversation within its scope: equal first messages of two scopes do not match. */
export function beginsIn(scope: string | undefined, begins: string): string {
  return scope === undefined ? begins : hashOf(JSON.stringify([scope, begins]));
}
