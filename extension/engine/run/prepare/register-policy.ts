import type { Parameters } from '../../block/plan';
import type { CompactionPolicy } from '../../policies/policy';
import { listPolicy } from '../../policies/policy-list';
import { policyStrategy } from '../../policies/policy-strategy';
import { registerStrategy } from './registry';

/**
 * Makes a policy selectable wherever strategies are chosen, under its name with hyphens, and available to `policyNamed`.
 * Throws `NameTaken`, or `BrokenPolicy` for an invalid name. Returns a function that removes it again.
 */
export function registerPolicy<P extends Parameters>(policy: CompactionPolicy<P>): () => void {
  const removeStrategy = registerStrategy(policyStrategy(policy));
  const removePolicy = listPolicy(policy);
  return () => {
    removeStrategy();
    removePolicy();
  };
}
