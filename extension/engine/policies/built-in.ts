import type { Strategy } from '../block/strategy';
import { deterministicPolicy } from './deterministic';
import { hierarchicalPolicy } from './hierarchical';
import { llmPolicy } from './llm';
import { policyStrategy } from './policy-strategy';
import { slidingWindowPolicy } from './sliding-window';

/** The policies of the policies seed as strategies, in its order. */
export const policyStrategies: readonly Strategy[] = [
  policyStrategy(llmPolicy),
  policyStrategy(deterministicPolicy),
  policyStrategy(slidingWindowPolicy),
  policyStrategy(hierarchicalPolicy),
];
