import { type Answer, askModel, nothingSpent } from '../../../engine/asking/ask-model';
import { questions } from '../../../engine/asking/questions';
import type { LanguageModel } from '../../../engine/block/language-model';
import { unique } from '../../../engine/conversation/text';
import type { ParsedAnswer } from '../../../engine/prompts/json-answer';
import { type PointAnswer, parsePoint, pointProbe } from '../../../engine/prompts/probes';
import { recallProbes } from './recall-probes';
import { type ActionAnswer, type PointAnswers, type Respondent, unusableAnswers } from './respondent';

/** A model answers all probes of one context in one call, which does not change the context. */
export function modelRespondent(model: LanguageModel): Respondent {
  return {
    id: { kind: 'model', name: model.model },
    async answer(context, actions, signal) {
      const asked = { goal: questions.goal.text, constraints: questions.constraints.text };
      const options = actions.map(({ options: shown }) => shown.length);
      const prompt = pointProbe(context, asked, recallProbes, actions);
      const parse = (text: string) => parsePoint(text, recallProbes, options);
      return answersOf(await askModel(model, prompt, parse, signal), options.length);
    },
  };
}

/** The tokens of the call are attributed to the goal, which every point has. */
function answersOf(whole: Answer<PointAnswer>, actions: number): PointAnswers {
  if (whole.kind === 'unusable') return unusableAnswers(whole, actions);
  const { goal, constraints, lists, next, acts } = whole.value;
  return {
    goal: { ...partOf(goal, (text) => text), spent: whole.spent },
    constraints: withClauses(partOf(constraints, lines)),
    recalled: lists.map((list) => partOf(list, lines)),
    next: partOf(next, (text) => text),
    actions: acts.map((act): Answer<ActionAnswer> => {
      const part = partOf(act, ({ how }) => how);
      return part.kind === 'unusable' ? part : { ...part, value: { kind: 'chosen', ...part.value } };
    }),
  };
}

/**
 * A model that names a rule often adds something that does not change it: "At most 30 euros; a page that calls this dropped does not
 * count." Each clause is a statement of its own as well, so that the second does not hide the first.
 */
function withClauses(constraints: Answer<readonly string[]>): Answer<readonly string[]> {
  if (constraints.kind === 'unusable') return constraints;
  return { ...constraints, value: unique(constraints.value.flatMap((rule) => [rule, ...rule.split(/;\s+/)])) };
}

function lines(texts: readonly string[]): string {
  return texts.join('\n');
}

function partOf<T>(part: ParsedAnswer<T>, textOf: (value: T) => string): Answer<T> {
  if (part.kind === 'unusable') return { kind: 'unusable', reason: String(part.reason), text: '', spent: nothingSpent };
  return { kind: 'given', value: part.value, text: textOf(part.value), spent: nothingSpent };
}
