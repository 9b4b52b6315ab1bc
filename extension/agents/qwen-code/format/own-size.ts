import * as s from '../../../platform/json/schemas';
import type { ModelInUse, OwnSize } from '../../../sessions/adapter';
import { sizeWithin } from '../../../sessions/own-compaction/own-compaction';

const defaultShare = 0.85;
/** Tokens that Qwen Code keeps free for the summary, and beyond it. */
const summary = 20_000;
const buffer = 13_000;

const settingsSchema = s.record({ context: s.record({ autoCompactThreshold: s.count }) });

/** As Qwen Code 0.24 computes it: at a share of the window, and early enough for the summary. */
export function qwenCodeSize(settings: s.JsonRecord, { contextWindow }: ModelInUse): OwnSize {
  const { autoCompactThreshold: set } = s.read(settingsSchema, settings).context;
  const share = (set !== null && set > 0 && set <= 1 ? set : defaultShare) * contextWindow;
  const latest = contextWindow - summary - buffer;
  return sizeWithin(latest > 0 ? Math.min(share, latest) : share, contextWindow);
}
