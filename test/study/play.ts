import { defaultHeader, tasksNamed } from '../../extension/evaluation/default-run';
import type { EvaluationResults } from '../../extension/evaluation/measure/evaluation-results';
import { modelRespondent } from '../../extension/evaluation/measure/probes/model-respondent';
import type { UnitId, UnitLine } from '../../extension/evaluation/measure/results';
import { unitsOf } from '../../extension/evaluation/measure/units';
import { playHere } from '../../extension/evaluation/play-here';
import { modelSummarizer } from '../../extension/summarizers/model/model-summarizer';
import { toolsWithoutModel } from '../../extension/summarizers/without-model';
import { contenders, studyContender } from './contenders';
import { AnswerMissing, type Recording } from './recorded-model';
import { studySettings, studyTasks } from './settings';

/** Tokens of a prompt. No record of the study is longer. */
const maxPromptTokens = 100_000;

/** Plays all units as far as answers are recorded. Units with a missing answer are left out. */
export async function playStudy(recording: Recording, signal: AbortSignal): Promise<EvaluationResults> {
  const header = studyHeader(recording.model);
  const tasks = tasksNamed(studyTasks);
  const units: UnitLine[] = [];
  const texts = new Map<string, string>();
  for (const unit of unitsOf(header.settings)) {
    const played = await playedOrMissing(unit);
    if (!played) continue;
    units.push(played.line);
    for (const [key, text] of played.texts) texts.set(key, text);
  }
  return { header: { ...header, units: unitsOf(header.settings).length }, units, texts };

  async function playedOrMissing(unit: UnitId) {
    let isWhole = true;
    const onMissing = () => {
      isWhole = false;
    };
    const writer = recording.modelFor('write', unit.task, onMissing);
    const writing = { ...toolsWithoutModel, model: writer, summarizer: modelSummarizer(writer, { maxPromptTokens }) };
    const respondent = modelRespondent(recording.modelFor('answer', unit.task, onMissing));
    const players = { writing, respondent, judge: null, contenderOf: studyContender };
    try {
      const played = await playHere(tasks, header.settings, players)(unit, signal);
      return isWhole ? played : null;
    } catch (error) {
      if (error instanceof AnswerMissing) return null;
      throw error;
    }
  }
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
