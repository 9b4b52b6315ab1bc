import type { ModelInUse, OwnSize } from '../adapter';
import { sizeWithin } from '../own-compaction/own-compaction';
import * as s from '../records/schemas';

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
