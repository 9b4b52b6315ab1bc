import * as v from 'valibot';
import { verificationModes } from '../../engine/compaction/verify';
import { defaultStrategy, findStrategy } from '../../engine/run/prepare/registry';
import { haloDefaults } from '../../engine/strategies/halo-parameters';
import { assumedContextWindow } from '../../sessions/model-windows';
import { readPrivate, writePrivate } from '../private-file';
import type { AgentSettings } from '../settings';
import { type WrittenWriter, writerShape } from './writer';

const settingsShape = v.object({
  strategy: v.string(),
  parameters: v.record(v.string(), v.record(v.string(), v.any())),
  verification: v.picklist(verificationModes),
  automation: v.object({
    enabled: v.boolean(),
    floorTokens: v.number(),
    pauseTokens: v.number(),
    warnAtPercent: v.number(),
    prepareAt: v.exactOptional(v.number()),
    renewAfter: v.exactOptional(v.number()),
    prepareTokens: v.exactOptional(v.number()),
  }),
  fallbackContextWindow: v.number(),
});

const setupShape = v.object({
  journals: v.string(),
  settings: settingsShape,
  writer: v.optional(writerShape, { kind: 'unanswered' }),
});

/** The journals and settings of the editor, for programs that run without it. */
interface AgentSetup {
  readonly journals: string;
  readonly settings: AgentSettings;
  readonly writer: WrittenWriter;
}

export async function writeSetup(path: string, setup: AgentSetup): Promise<void> {
  const { strategy, parameters, verification, automation, fallbackContextWindow } = setup.settings;
  const settings = { strategy, parameters, verification, automation, fallbackContextWindow };
  await writePrivate(path, { journals: setup.journals, settings, writer: setup.writer });
}

/** Null if no editor with Strata has run here. */
export async function readSetup(path: string): Promise<AgentSetup | null> {
  const setup = await readPrivate(path, setupShape);
  if (setup === null || findStrategy(setup.settings.strategy)) return setup;
  // The strategy was registered only in the editor.
  return { ...setup, settings: { ...setup.settings, strategy: defaultStrategy } };
}

/** Settings where no editor has run. */
export const standardSettings: AgentSettings = {
  strategy: defaultStrategy,
  parameters: {},
  verification: 'repair',
  automation: { enabled: true, floorTokens: haloDefaults.keepRecentTokens, pauseTokens: 10_000, warnAtPercent: 90 },
  fallbackContextWindow: assumedContextWindow,
};
