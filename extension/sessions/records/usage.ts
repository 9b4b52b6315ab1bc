import { isPossibleUsage, type Usage } from '../../engine/conversation/entry';

/** Null if all numbers are zero, because no reply of a model is free, or if they are more than any window holds. */
export function reportedUsage(usage: Usage): Usage | null {
  return Object.values(usage).some((tokens) => tokens > 0) && isPossibleUsage(usage) ? usage : null;
}
