import type { Entry, Usage } from '../../../engine/conversation/entry';
import * as s from '../../../platform/json/schemas';
import type { Row } from './row';

const usageRecord = s.record({
  promptTokenCount: s.count,
  cachedContentTokenCount: s.countOrZero,
  candidatesTokenCount: s.countOrZero,
  totalTokenCount: s.count,
});

/** Facts about a reply besides its parts. */
export function replyMetadata({ usageMetadata, model }: Row): Pick<Entry, 'usage' | 'model'> {
  const usage = usageOf(s.read(usageRecord, usageMetadata));
  return { ...(usage === null ? {} : { usage }), ...(model === null ? {} : { model }) };
}

/**
 * `promptTokenCount` includes the cached tokens. The output is derived from the total, because `candidatesTokenCount`
 * includes the thoughts only with some providers.
 */
function usageOf(usage: s.Read<typeof usageRecord>): Usage | null {
  const { promptTokenCount: prompt, totalTokenCount: total } = usage;
  if (prompt === null) return null;
  const cacheRead = Math.min(usage.cachedContentTokenCount, prompt);
  const output = total === null ? usage.candidatesTokenCount : Math.max(0, total - prompt);
  return { input: prompt - cacheRead, output, cacheRead, cacheWrite: 0 };
}
