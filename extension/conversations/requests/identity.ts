import { hashOf } from '../../middleware/recognition/chain';
import type { Beginning } from '../../sessions/strata/records';

/**
 * The beginning of the conversation with a key. Its id depends on key and scope alone, so that all processes come to the same.
 * No request begins with it, so a request without a key never meets this conversation. `branch`: of several with this key.
 */
export function keyedBeginning(key: string, scope: string | undefined, created: string, branch?: string): Beginning {
  const id = `key-${hashOf(JSON.stringify([scope ?? null, key, ...(branch === undefined ? [] : [branch])]))}`;
  return { id, begins: id, created, key, ...(scope === undefined ? {} : { scope }) };
}

/** The beginning of a conversation within its scope: equal first messages of two scopes do not match. */
export function beginsIn(scope: string | undefined, begins: string): string {
  return scope === undefined ? begins : hashOf(JSON.stringify([scope, begins]));
}
