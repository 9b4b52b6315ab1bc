import type { AgentEnvironment } from '../platform/files/environment';
import type { SessionAdapter } from './adapter';
import { adapters } from './adapters';
import { type Discovery, SessionCatalogue } from './catalogue/catalogue';
import type { OutlineCache } from './catalogue/outline-cache';

export type { Discovery } from './catalogue/catalogue';

export interface DiscoverOptions {
  /** Maximum number of sessions. Only about that many files are opened. */
  readonly limit?: number;
  /** Folders to search besides the agents' own. */
  readonly folders?: readonly string[];
  readonly adapters?: readonly SessionAdapter[];
  readonly cache?: OutlineCache;
  readonly now?: () => number;
}

/** The current sessions in all agents' own folders and in the given ones. */
export async function discoverSessions(
  environment: AgentEnvironment,
  { limit, ...options }: DiscoverOptions = {},
): Promise<Discovery> {
  return await new SessionCatalogue(environment, { adapters, ...options }).scan(limit);
}
