import type { Answer } from '../../engine/asking/ask-model';
import type { ContextMessage } from '../../engine/conversation/context';
import { readableText } from '../../engine/conversation/entry';
import type { ActionAnswer } from './probes/respondent';
import type { OptionResult, RecalledTruth, TruthOfConstraint } from './results';
import { matchesSigns, matchesSignsInForce } from './tasks/signs';
import type { ActionOption, SettledTruth, Signs } from './tasks/task';
import type { Truth } from './tasks/truth';

interface GoalGrade {
  readonly isTold: boolean;
  readonly regressedTo: string | null;
}

export function gradeGoal(answer: string, { goal, formerGoals }: Truth): GoalGrade {
  const isTold = matchesSignsInForce(answer, goal.signs);
  const former = isTold ? undefined : formerGoals.findLast(({ signs }) => matchesSignsInForce(answer, signs));
  return { isTold, regressedTo: former?.text ?? null };
}

interface ConstraintGrade {
  readonly truth: readonly TruthOfConstraint[];
  readonly stale: readonly string[];
}

export function gradeConstraints(
  answer: string,
  context: string,
  { constraints, formerConstraints, attacked }: Truth,
): ConstraintGrade {
  return {
    truth: constraints.map(({ id, said, signs }) => ({
      said,
      isRecalled: matchesSignsInForce(answer, signs),
      isHeld: matchesSignsInForce(context, signs),
      isAttacked: attacked.has(id),
    })),
    stale: formerConstraints.filter(({ signs }) => matchesSignsInForce(answer, signs)).map(({ said }) => said),
  };
}

export function gradeRecall(answer: string, truth: readonly SettledTruth[]): readonly RecalledTruth[] {
  return truth.map(({ text, signs }) => ({ text, isRecalled: matchesSigns(answer, signs) }));
}

/**
 * The likelihood of each option. A model chose one. A reader only found sentences: every option that none of them rules
 * out is equally likely, so finding nothing scores as chance.
 */
export function gradeAction(
  options: readonly ActionOption[],
  answer: ActionAnswer,
  goalAnswer: string,
  truth: Truth,
): OptionResult[] {
  const judged = options.map((option) => ({ option, reasonAgainst: reasonAgainst(option, truth) }));
  const open =
    answer.kind === 'chosen'
      ? judged.map((_, index) => index === answer.option)
      : judged.map(({ option, reasonAgainst: reason }, index) => {
          const found = option.verdict === 'revives' ? goalAnswer : (answer.evidence[index] ?? []).join('\n');
          return reason === null || !reason.matches(found, reason.signs);
        });
  const count = open.filter(Boolean).length;
  return judged.map(({ option: { text, verdict }, reasonAgainst: reason }, index) => ({
    text,
    verdict,
    because: reason?.said ?? null,
    likelihood: open[index] ? 1 / count : 0,
  }));
}

interface Reason {
  readonly said: string;
  readonly signs: Signs;
  readonly matches: typeof matchesSigns;
}

/** An answer must state this in order to rule an option out. Stating the current goal rules out a former one. */
function reasonAgainst({ verdict, of }: ActionOption, truth: Truth): Reason | null {
  switch (verdict) {
    case 'aligned':
      return null;
    case 'violates':
      return holding(truth.constraints.find(({ id }) => id === of) ?? unknown(of));
    case 'revives':
      return holding(truth.goal);
    case 'restarts':
      return settled(truth.finished, of);
    case 'repeats':
      return settled(truth.deadEnds, of);
  }
}

function holding({ said, signs }: Truth['goal'] | Truth['constraints'][number]): Reason {
  return { said, signs, matches: matchesSignsInForce };
}

function settled(items: readonly SettledTruth[], of: string | undefined): Reason {
  const { text, signs } = items.find(({ id }) => id === of) ?? unknown(of);
  return { said: text, signs, matches: matchesSigns };
}

function unknown(of: string | undefined): never {
  throw new RangeError(`The task rules out an option by "${of}", which does not apply now.`);
}

/** The whole text of a context, including tool output. */
export function textOfContext(context: readonly ContextMessage[]): string {
  return context.flatMap(({ parts }) => parts.map(readableText)).join('\n');
}

export function answerText<T>(answer: Answer<T>): { readonly answer: string; readonly unusable: string | null } {
  return { answer: answer.text, unusable: answer.kind === 'unusable' ? answer.reason : null };
}
