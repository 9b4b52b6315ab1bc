import type { Strategy } from '../block/strategy';
import { deterministicPolicy } from './deterministic';
import { hierarchicalPolicy } from './hierarchical';
import { llmPolicy } from './llm';
import { policyStrategy } from './policy-strategy';
import { slidingWindowPolicy } from './sliding-window';

/** The built-in policies as strategies (docs/specification.md, "Policies"). */
export const policyStrategies: readonly Strategy[] = [
  policyStrategy(llmPolicy),
  policyStrategy(deterministicPolicy),
  policyStrategy(slidingWindowPolicy),
  policyStrategy(hierarchicalPolicy),
];
