import type { Strategy } from '../block/strategy';
import { deterministicPolicy } from './deterministic';
import { hierarchicalPolicy } from './hierarchical';
import { llmPolicy } from './llm';
import type { CompactionPolicy } from './policy';
import { policyStrategy } from './policy-strategy';
import { slidingWindowPolicy } from './sliding-window';

/** A model may write the blocks of these. */
const withModel: readonly CompactionPolicy[] = [llmPolicy];
/** These write their blocks themselves. */
const withoutModel: readonly CompactionPolicy[] = [deterministicPolicy, slidingWindowPolicy, hierarchicalPolicy];

/** docs/specification/policies.md, "Policies". */
export const builtInPolicies: readonly CompactionPolicy[] = [...withModel, ...withoutModel];

export const policyStrategies: readonly Strategy[] = [
  ...withModel.map((policy) => policyStrategy(policy)),
  ...withoutModel.map((policy) => ({ ...policyStrategy(policy), withoutModel: true as const })),
];
