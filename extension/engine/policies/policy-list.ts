import type { Strategy } from '../block/strategy';
import { deterministicPolicy } from './deterministic';
import { hierarchicalPolicy } from './hierarchical';
import { strategyName } from './history';
import { llmPolicy } from './llm';
import type { CompactionPolicy } from './policy';
import { policyStrategy } from './policy-strategy';
import { slidingWindowPolicy } from './sliding-window';

/** A model may write the blocks of these. */
const withModel: readonly CompactionPolicy[] = [llmPolicy];
/** These write their blocks themselves. */
const withoutModel: readonly CompactionPolicy[] = [deterministicPolicy, slidingWindowPolicy, hierarchicalPolicy];

/** docs/specification/policies.md, "Policies". */
const builtInPolicies: readonly CompactionPolicy[] = [...withModel, ...withoutModel];

export const policyStrategies: readonly Strategy[] = [
  ...withModel.map((policy) => policyStrategy(policy)),
  ...withoutModel.map((policy) => ({ ...policyStrategy(policy), withoutModel: true as const })),
];

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
  throw new UnknownPolicy(`There is no policy named "${name}". The policies are: ${names.join(', ')}.`);
}

/** Returns a function that removes it. */
export function listPolicy(policy: CompactionPolicy): () => void {
  const name = strategyName(policy.name);
  listed.set(name, policy);
  return () => void listed.delete(name);
}
