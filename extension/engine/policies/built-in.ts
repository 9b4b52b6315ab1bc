import type { Strategy } from '../block/strategy';
import { deterministicPolicy } from './deterministic';
import { hierarchicalPolicy } from './hierarchical';
import { llmPolicy } from './llm';
import type { CompactionPolicy } from './policy';
import { policyStrategy } from './policy-strategy';
import { slidingWindowPolicy } from './sliding-window';

/** docs/specification.md, "Policies". */
export const builtInPolicies: readonly CompactionPolicy[] = [
  llmPolicy,
  deterministicPolicy,
  slidingWindowPolicy,
  hierarchicalPolicy,
];

export const policyStrategies: readonly Strategy[] = builtInPolicies.map((policy) =>
  policy === llmPolicy ? policyStrategy(policy) : { ...policyStrategy(policy), withoutModel: true },
);
