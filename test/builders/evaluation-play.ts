import { countWithO200k } from '../../extension/engine/conversation/tokenizer';
import { TokenLedger } from '../../extension/engine/conversation/tokens';
import { type PlaySettings, type PlayTools, playUnit } from '../../extension/evaluation/measure/play';
import { reader } from '../../extension/evaluation/measure/probes/reader';
import type { EvaluationSettings, HeaderLine, UnitId, UnitLine } from '../../extension/evaluation/measure/results';
import type { Task } from '../../extension/evaluation/measure/tasks/task';
import { transparentSummarizer } from '../../extension/summarizers/transparent/transparent';
import { wordEmbedder } from './run';

export const playSettings: PlaySettings = { every: { kind: 'turns', count: 10 }, probedAfter: [1, 2, 3, 5] };

export function playTools(changes: Partial<PlayTools> = {}): PlayTools {
  return {
    writing: { summarizer: transparentSummarizer, model: null, embedder: wordEmbedder },
    ledger: new TokenLedger(countWithO200k),
    verification: 'report',
    window: 16_000,
    clock: () => 0,
    respondent: reader,
    judge: null,
    embedder: wordEmbedder,
    ...changes,
  };
}

export async function played(
  task: Task,
  contender: UnitId['contender'],
  {
    tools = {},
    settings = playSettings,
    seed = 1,
  }: { tools?: Partial<PlayTools>; settings?: PlaySettings; seed?: number } = {},
): Promise<UnitLine> {
  const unit = { task: task.name, seed, contender };
  return (await playUnit(unit, task, settings, playTools(tools), new AbortController().signal)).line;
}

export function headerOf(settings: Partial<EvaluationSettings> = {}, units = 1): HeaderLine {
  return {
    kind: 'header',
    version: 1,
    madeWith: { strata: '0.0.0', node: 'v0' },
    time: '2026-01-01T00:00:00.000Z',
    units,
    shard: null,
    settings: {
      tasks: [{ name: 'small-task', digest: '0' }],
      seeds: [1],
      contenders: [{ strategy: 'no-compaction', core: 'none' }],
      probedAfter: [1, 2, 3, 5],
      every: { kind: 'turns', count: 10 },
      window: 16_000,
      respondent: { kind: 'reader', name: 'reader' },
      verification: 'report',
      summarizer: { name: 'extractive', model: null },
      judge: null,
      embedder: 'words',
      ...settings,
    },
  };
}
