import type { Entry, Usage } from '../../engine/conversation/entry';
import { asCount, asName, asRecord, type JsonRecord } from '../records/json';

/** What a row reports about its reply besides the parts. */
export function replyMetadata(row: JsonRecord): Pick<Entry, 'usage' | 'model'> {
  const usage = usageOf(row.usageMetadata);
  const model = asName(row.model);
  return { ...(usage === null ? {} : { usage }), ...(model === null ? {} : { model }) };
}

/**
 * `promptTokenCount` includes the cached tokens. The output is derived from the total, because `candidatesTokenCount`
 * includes the thoughts only with some providers.
 */
function usageOf(value: unknown): Usage | null {
  const usage = asRecord(value);
  const prompt = asCount(usage?.promptTokenCount);
  if (usage === null || prompt === null) return null;
  const cacheRead = Math.min(asCount(usage.cachedContentTokenCount) ?? 0, prompt);
  const total = asCount(usage.totalTokenCount);
  const output = total === null ? (asCount(usage.candidatesTokenCount) ?? 0) : Math.max(0, total - prompt);
  return { input: prompt - cacheRead, output, cacheRead, cacheWrite: 0 };
}
