import type { Parameters } from '../compaction/plan';
import { registerStrategy } from '../strategies/registry';
import type { CompactionPolicy } from './policy';
import { policyStrategy } from './policy-strategy';

/**
 * Makes a policy selectable wherever strategies are chosen, under its name with hyphens. Throws `NameTaken`, and
 * `BrokenPolicy` for a name that no policy may have. Returns what takes it away again.
 */
export function registerPolicy<P extends Parameters>(policy: CompactionPolicy<P>): () => void {
  return registerStrategy(policyStrategy(policy));
}
