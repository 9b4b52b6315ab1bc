import { homedir } from 'node:os';
import { type RescueOutcome, rescueOf } from '../inspection/rescue';
import { readMemoryFiles } from '../sessions/memory/memory-files';
import { agentNames } from '../sessions/session';
import { openInspection } from './opened';
import { print, printJson, warn } from './output';
import type { JournalOptions } from './session-with-journal';

interface LostOptions extends JournalOptions {
  readonly json?: boolean;
}

/** Prints the prompt alone, so that it can be piped into an agent. Without a prompt, prints the reason to standard error. */
export async function lost(file: string, options: LostOptions): Promise<void> {
  const inspection = await openInspection(file, options);
  inspection.memoryFiles = await readMemoryFiles(inspection.session, homedir());
  const outcome = rescueOf(inspection);
  if (options.json) printJson(outcomeAsJson(outcome));
  else if (outcome.kind === 'forgot') print(outcome.rescue.prompt);
  else warn(reasons[outcome.kind](agentNames[inspection.session.agent]));
}

/** Output contract of docs/cli.md: fields may be added, but not renamed or removed. */
function outcomeAsJson(outcome: RescueOutcome) {
  if (outcome.kind !== 'forgot') return { kind: outcome.kind, forgotten: [], prompt: null, tokens: 0 };
  const { compaction, forgotten, prompt, tokens } = outcome.rescue;
  return { kind: outcome.kind, compaction: compaction.id, forgotten, prompt, tokens };
}

const reasons: Readonly<Record<Exclude<RescueOutcome['kind'], 'forgot'>, (agent: string) => string>> = {
  'nothing-forgotten': (agent) =>
    `Nothing was found that ${agent} dropped in its newest compaction and does not have in its context.`,
  'not-compacted': (agent) => `${agent} has not summarized its context in this session.`,
  unreadable: (agent) => `The summary is encrypted for the provider of ${agent}, so nothing can be said about it.`,
};
