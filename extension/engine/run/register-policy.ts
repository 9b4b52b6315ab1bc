import type { Parameters } from '../block/plan';
import type { CompactionPolicy } from '../policies/policy';
import { policyStrategy } from '../policies/policy-strategy';
import { registerStrategy } from './registry';

/**
 * Makes a policy selectable wherever strategies are chosen, under its name with hyphens. Throws `NameTaken`, and
 * `BrokenPolicy` for a name that no policy may have. Returns what takes it away again.
 */
export function registerPolicy<P extends Parameters>(policy: CompactionPolicy<P>): () => void {
  return registerStrategy(policyStrategy(policy));
}
