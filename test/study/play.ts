import type { LanguageModel } from '../../extension/engine/block/language-model';
import { defaultHeader, tasksNamed } from '../../extension/evaluation/default-run';
import type { EvaluationResults } from '../../extension/evaluation/measure/evaluation-results';
import { modelRespondent } from '../../extension/evaluation/measure/probes/model-respondent';
import { contenderKey, type UnitId, type UnitLine, unitKey } from '../../extension/evaluation/measure/results';
import { unitsOf } from '../../extension/evaluation/measure/units';
import { playHere } from '../../extension/evaluation/play-here';
import { modelSummarizer } from '../../extension/summarizers/model/model-summarizer';
import { toolsWithoutModel } from '../../extension/summarizers/without-model';
import { contenders, studyContender } from './contenders';
import type { WritingCost } from './figures';
import { askingActs, type OpenAct } from './open-acts';
import { AnswerMissing, type Recording } from './recorded-model';
import { studySettings, studyTasks } from './settings';

/** Maximum tokens of a prompt. No record of the study is longer. */
const maxPromptTokens = 100_000;

export interface Played {
  readonly results: EvaluationResults;
  /** The cost of each unit in the results. */
  readonly costs: readonly WritingCost[];
  readonly acts: readonly OpenAct[];
}

/** Number of the last point: questions are asked before the first compaction, after it, and after the last. */
const lastPoint = 1 + studySettings.probedAfter.length;

/** Plays all units for which answers are recorded. Units with a missing answer are left out. */
export async function playStudy(recording: Recording, signal: AbortSignal): Promise<Played> {
  const header = studyHeader(recording.model);
  const tasks = tasksNamed(studyTasks);
  const units: UnitLine[] = [];
  const texts = new Map<string, string>();
  const costs: WritingCost[] = [];
  const acts: OpenAct[] = [];
  for (const unit of unitsOf(header.settings)) {
    const played = await playedOrMissing(unit);
    if (!played) continue;
    units.push(played.line);
    costs.push(played.cost);
    const { task, seed, contender } = unit;
    const turns = played.line.boundaries.at(-1)?.turns ?? 0;
    for (const act of played.acts) acts.push({ task, seed, contender: contenderKey(contender), turns, ...act });
    for (const [key, text] of played.texts) texts.set(key, text);
  }
  return { results: { header: { ...header, units: unitsOf(header.settings).length }, units, texts }, costs, acts };

  async function playedOrMissing(unit: UnitId) {
    let isWhole = true;
    const onMissing = () => {
      isWhole = false;
    };
    const cost = { unit: unitKey(unit), calls: 0, input: 0, output: 0 };
    const writer = counted(recording.modelFor('write', unit.task, onMissing), cost);
    const writing = { ...toolsWithoutModel, model: writer, summarizer: modelSummarizer(writer, { maxPromptTokens }) };
    const answering = recording.modelFor('answer', unit.task, onMissing);
    let acts: readonly Pick<OpenAct, 'request' | 'said'>[] = [];
    const respondent = askingActs(modelRespondent(answering), answering, lastPoint, (said) => {
      acts = said;
    });
    const players = { writing, respondent, judge: null, contenderOf: studyContender };
    try {
      const played = await playHere(tasks, header.settings, players)(unit, signal);
      return isWhole ? { ...played, cost, acts } : null;
    } catch (error) {
      if (error instanceof AnswerMissing) return null;
      throw error;
    }
  }
}

/** Adds the cost of each call. */
function counted(model: LanguageModel, cost: { calls: number; input: number; output: number }): LanguageModel {
  return {
    ...model,
    async complete(prompt, options) {
      const completion = await model.complete(prompt, options);
      cost.calls += 1;
      cost.input += completion.tokens.input;
      cost.output += completion.tokens.output;
      return completion;
    },
  };
}

export function studyHeader(model: string): EvaluationResults['header'] {
  const header = defaultHeader({
    tasks: tasksNamed(studyTasks),
    players: {
      respondent: { kind: 'model', name: model },
      summarizer: { name: 'recorded', model },
      judge: null,
      embedder: toolsWithoutModel.embedder.name,
    },
    madeWith: { strata: 'study', node: process.versions.node },
    time: '2026-11-27T00:00:00.000Z',
    contenders,
  });
  return { ...header, settings: { ...header.settings, ...studySettings } };
}
