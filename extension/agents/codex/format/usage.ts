import type { Usage } from '../../../engine/conversation/entry';
import * as s from '../../../platform/json/schemas';
import { reportedUsage } from '../../../sessions/records/usage';

export const usageFields = s.optionalRecord({
  input_tokens: s.countOrZero,
  output_tokens: s.countOrZero,
  cached_input_tokens: s.countOrZero,
  cache_write_input_tokens: s.countOrZero,
  total_tokens: s.count,
});

/** Codex's input tokens include the cached ones, as its provider counts. Null if nothing was used. */
export function usageOf(fields: s.Read<typeof usageFields>): Usage | null {
  if (fields === null) return null;
  const { cached_input_tokens: cacheRead, cache_write_input_tokens: cacheWrite } = fields;
  const input = Math.max(0, fields.input_tokens - cacheRead - cacheWrite);
  return reportedUsage({ input, output: fields.output_tokens, cacheRead, cacheWrite });
}
