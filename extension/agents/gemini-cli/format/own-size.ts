import * as s from '../../../platform/json/schemas';
import type { ModelInUse, OwnSize } from '../../../sessions/adapter';
import { sizeWithin } from '../../../sessions/own-compaction/own-compaction';

const defaultShare = 0.5;

/** The name of the share in older versions. */
const olderSchema = s.record({ contextPercentageThreshold: s.count });
const settingsSchema = s.record({
  model: s.record({ compressionThreshold: s.count, chatCompression: olderSchema }),
  chatCompression: olderSchema,
});

/** As Gemini CLI 0.61 documents it: at a share of the window. */
export function geminiCliSize(settings: s.JsonRecord, { contextWindow }: ModelInUse): OwnSize {
  const { model, chatCompression } = s.read(settingsSchema, settings);
  const older = model.chatCompression.contextPercentageThreshold ?? chatCompression.contextPercentageThreshold;
  const share = model.compressionThreshold ?? older;
  return sizeWithin((share || defaultShare) * contextWindow, contextWindow);
}
