import * as s from '../../../platform/json/schemas';
import type { ModelInUse, OwnSize } from '../../../sessions/adapter';
import { isOn, sizeWithin } from '../../../sessions/own-compaction/own-compaction';

/** Maximum number of tokens that OpenCode reserves for a reply, and its default reserve for models with an input limit. */
const longestReply = 32_000;
const usualReserve = 20_000;

const settingsSchema = s.record({
  compaction: s.record({ auto: s.anything, reserved: s.count }),
  provider: s.jsonRecord,
});
const providerSchema = s.record({ models: s.jsonRecord });
const limitSchema = s.record({ limit: s.record({ context: s.count, input: s.count, output: s.count }) });

/** As OpenCode 1.18 computes it. It depends on the model's longest reply, which only the settings name here. */
export function openCodeSize(settings: s.JsonRecord, { model, contextWindow, variables }: ModelInUse): OwnSize {
  const { compaction, provider } = s.read(settingsSchema, settings);
  if (compaction.auto === false || isOn(variables.OPENCODE_DISABLE_AUTOCOMPACT)) return 'off';
  const { limit } = s.read(limitSchema, modelNamed(model, provider));
  if (limit.context === null || limit.output === null) return null;
  const reply = Math.min(limit.output || longestReply, longestReply);
  const size =
    limit.input === null ? limit.context - reply : limit.input - (compaction.reserved ?? Math.min(usualReserve, reply));
  return sizeWithin(size, contextWindow);
}

function modelNamed(model: string | null, providers: s.JsonRecord | null): unknown {
  const all = Object.values(providers ?? {}).map((provider) => s.read(providerSchema, provider).models ?? {});
  return model === null ? undefined : all.find((models) => Object.hasOwn(models, model))?.[model];
}
