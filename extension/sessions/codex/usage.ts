import type { Usage } from '../../engine/conversation/entry';
import { asCount, asRecord } from '../records/json';

/** Codex counts the cached part within the input, as its provider does. Null where nothing was used. */
export function usageOf(value: unknown): Usage | null {
  const fields = asRecord(value);
  if (fields === null) return null;
  const cacheRead = asCount(fields.cached_input_tokens) ?? 0;
  const cacheWrite = asCount(fields.cache_write_input_tokens) ?? 0;
  const usage: Usage = {
    input: Math.max(0, (asCount(fields.input_tokens) ?? 0) - cacheRead - cacheWrite),
    output: asCount(fields.output_tokens) ?? 0,
    cacheRead,
    cacheWrite,
  };
  return Object.values(usage).some((tokens) => tokens > 0) ? usage : null;
}
