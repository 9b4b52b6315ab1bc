import { plainModelName } from '../../../engine/block/model-name';
import * as s from '../../../platform/json/schemas';
import type { ModelInUse, OwnSize } from '../../../sessions/adapter';
import { isOn, sizeWithin } from '../../../sessions/own-compaction/own-compaction';

/** Tokens that Claude Code keeps free for the reply, and for the compaction. */
const reply = 20_000;
const compaction = 13_000;
const smallestWindow = 100_000;

const settingsSchema = s.record({
  autoCompactEnabled: s.anything,
  autoCompactWindow: s.anything,
  modelSettings: s.jsonRecord,
  env: s.jsonRecord,
});
const modelSchema = s.record({ autoCompactWindow: s.anything });

/**
 * The size as Claude Code 2.1.330 computes it. Variables in the `env` of its settings override those of the process.
 */
export function claudeCodeSize(settings: s.JsonRecord, { model, contextWindow, variables }: ModelInUse): OwnSize {
  const { autoCompactEnabled, autoCompactWindow, modelSettings, env } = s.read(settingsSchema, settings);
  const set: s.JsonRecord = { ...variables, ...env };
  if (autoCompactEnabled === false || isOn(set.DISABLE_AUTO_COMPACT) || isOn(set.DISABLE_COMPACT)) return 'off';
  const ofModel = windowOf(s.read(modelSchema, modelNamed(model, modelSettings)).autoCompactWindow);
  const chosen = givenWindow(set.CLAUDE_CODE_AUTO_COMPACT_WINDOW) ?? ofModel ?? windowOf(autoCompactWindow);
  const usable = Math.min(contextWindow, chosen ?? contextWindow) - reply;
  const percent = Number.parseFloat(String(set.CLAUDE_AUTOCOMPACT_PCT_OVERRIDE));
  // A percentage can only lower the size.
  const share = percent > 0 && percent <= 100 ? Math.floor((usable * percent) / 100) : usable;
  return sizeWithin(Math.min(share, usable - compaction), contextWindow);
}

/** `auto` means the window of the model. */
function windowOf(value: unknown): number | null {
  const tokens = s.count(value);
  return tokens !== null && tokens >= smallestWindow ? tokens : null;
}

/** Accepts forms such as `200000`, `200k` and `1m`; a smaller value counts as the smallest allowed one. */
function givenWindow(variable: unknown): number | null {
  const [, number, unit = ''] = /^([\d.]+)([km]?)$/i.exec(String(variable ?? '').trim()) ?? [];
  const tokens = Number(number) * ({ k: 1_000, m: 1_000_000 }[unit.toLowerCase()] ?? 1);
  return tokens >= 1 ? Math.max(smallestWindow, Math.round(tokens)) : null;
}

/** A canonical model name also matches its dated name and its name with a larger window. */
function modelNamed(model: string | null, byModel: s.JsonRecord | null): unknown {
  if (model === null || byModel === null) return undefined;
  const name = plainModelName(model);
  const key = Object.keys(byModel).find((key) => name === key || name.startsWith(`${key}-2`) || name === `${key}[1m]`);
  return key === undefined ? undefined : byModel[key];
}
