import * as s from '../../../platform/json/schemas';
import type { ModelInUse, OwnSize } from '../../../sessions/adapter';
import { sizeWithin } from '../../../sessions/own-compaction/own-compaction';

const defaultReserve = 16_384;

const reserveSchema = s.record({ reserveTokens: s.count });
const settingsSchema = s.record({
  compaction: s.record({ enabled: s.anything, reserveTokens: s.count, modelOverrides: s.jsonRecord }),
});

/** As pi 1.5 documents it: when less than the reserve is free. */
export function piSize(settings: s.JsonRecord, { model, contextWindow }: ModelInUse): OwnSize {
  const { enabled, reserveTokens, modelOverrides } = s.read(settingsSchema, settings).compaction;
  if (enabled === false) return 'off';
  // By provider and model; sessions name the model.
  const [, override] = Object.entries(modelOverrides ?? {}).find(([key]) => key.endsWith(`/${model}`)) ?? [];
  const reserve = s.read(reserveSchema, override).reserveTokens ?? reserveTokens ?? defaultReserve;
  return sizeWithin(contextWindow - reserve, contextWindow);
}
