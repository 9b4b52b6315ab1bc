import { builtInPolicies } from './built-in';
import { strategyName } from './context-history';
import type { CompactionPolicy } from './policy';

/** By their names with hyphens. */
const listed = new Map<string, CompactionPolicy>(builtInPolicies.map((policy) => [strategyName(policy.name), policy]));

export class UnknownPolicy extends Error {
  override name = 'UnknownPolicy';
}

/** All policies, Strata's own first, in the order of their registration. */
export function policies(): readonly CompactionPolicy[] {
  return [...listed.values()];
}

/** The policy of this name, with underscores or with hyphens. Throws `UnknownPolicy`, which lists the names. */
export function policyNamed(name: string): CompactionPolicy {
  const policy = listed.get(strategyName(name));
  if (policy) return policy;
  const names = policies().map((known) => known.name);
  throw new UnknownPolicy(`There is no policy named "${name}". There are: ${names.join(', ')}.`);
}

/** Returns a function that removes it. */
export function listPolicy(policy: CompactionPolicy): () => void {
  const name = strategyName(policy.name);
  listed.set(name, policy);
  return () => void listed.delete(name);
}
