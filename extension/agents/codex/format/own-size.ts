import * as s from '../../../platform/json/schemas';
import type { ModelInUse, OwnSize } from '../../../sessions/adapter';
import { sizeWithin } from '../../../sessions/own-compaction/own-compaction';

/** Codex reports 95 % of a model's window in its sessions, and compacts at 90 % of the whole one at the latest. */
const reported = 0.95;
const latest = 0.9;

const settingsSchema = s.record({
  model_auto_compact_token_limit: s.count,
  model_auto_compact_token_limit_scope: s.anything,
});

/** As Codex 0.169 computes it. */
export function codexSize(settings: s.JsonRecord, { contextWindow }: ModelInUse): OwnSize {
  const { model_auto_compact_token_limit: limit, model_auto_compact_token_limit_scope: scope } = s.read(
    settingsSchema,
    settings,
  );
  const usual = (contextWindow / reported) * latest;
  // Another scope does not count the whole context.
  if (limit !== null && scope !== undefined && scope !== 'total') return null;
  return sizeWithin(Math.min(limit || usual, usual), contextWindow);
}
