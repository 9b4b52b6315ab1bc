import type { AgentEnvironment } from '../platform/files/environment';
import { adapters } from './adapters';
import { type CatalogueOptions, type Discovery, SessionCatalogue } from './catalogue/catalogue';

export type { Discovery } from './catalogue/catalogue';

/** `adapters` are those of all agents by default. */
export interface DiscoverOptions extends Partial<CatalogueOptions> {
  /** Maximum number of sessions. Only about that many files are opened. */
  readonly limit?: number;
}

/** The current sessions in all agents' own folders and in the given ones. */
export async function discoverSessions(
  environment: AgentEnvironment,
  { limit, ...options }: DiscoverOptions = {},
): Promise<Discovery> {
  return await new SessionCatalogue(environment, { adapters, ...options }).scan(limit);
}
