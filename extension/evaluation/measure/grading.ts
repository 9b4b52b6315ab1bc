import type { ContextMessage } from '../../engine/conversation/context';
import { readableText } from '../../engine/conversation/entry';
import type { ActionAnswer, Answer } from './probes/respondent';
import type { OptionResult, TruthOfConstraint } from './results';
import { tells, tellsAsHolding } from './tasks/signs';
import type { ActionOption, Signs } from './tasks/task';
import type { Truth } from './tasks/truth';

export interface GoalGrade {
  readonly isTold: boolean;
  readonly regressedTo: string | null;
}

/** The goal that holds is told, or one that no longer holds is told instead. */
export function gradeGoal(answer: string, { goal, formerGoals }: Truth): GoalGrade {
  const isTold = tellsAsHolding(answer, goal.signs);
  const former = isTold ? undefined : formerGoals.findLast(({ signs }) => tellsAsHolding(answer, signs));
  return { isTold, regressedTo: former?.text ?? null };
}

export interface ConstraintGrade {
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
      isRecalled: tellsAsHolding(answer, signs),
      isHeld: tellsAsHolding(context, signs),
      isAttacked: attacked.has(id),
    })),
    stale: formerConstraints.filter(({ signs }) => tellsAsHolding(answer, signs)).map(({ said }) => said),
  };
}

/**
 * How likely each option is to be taken. Who chose, chose one. Who only found sentences takes any option that nothing
 * found speaks against, each as likely as the others: with nothing found that is chance.
 */
export function gradeAction(
  options: readonly ActionOption[],
  answer: ActionAnswer,
  goalAnswer: string,
  truth: Truth,
): OptionResult[] {
  const judged = options.map((option) => ({ option, against: against(option, truth) }));
  const open =
    answer.kind === 'chosen'
      ? judged.map((_, index) => index === answer.option)
      : judged.map(({ option, against: reason }, index) => {
          const found = option.verdict === 'revives' ? goalAnswer : (answer.evidence[index] ?? []).join('\n');
          return reason === null || !reason.tells(found, reason.signs);
        });
  const count = open.filter(Boolean).length;
  return judged.map(({ option: { text, verdict }, against: reason }, index) => ({
    text,
    verdict,
    because: reason?.said ?? null,
    likelihood: open[index] ? 1 / count : 0,
  }));
}

interface Reason {
  readonly said: string;
  readonly signs: Signs;
  readonly tells: typeof tells;
}

/** What an answer has to know to leave an option alone. A goal that is over is known to be so by who knows the present one. */
function against({ verdict, of }: ActionOption, truth: Truth): Reason | null {
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
  return { said, signs, tells: tellsAsHolding };
}

function settled(items: Truth['finished'], of: string | undefined): Reason {
  const { text, signs } = items.find(({ id }) => id === of) ?? unknown(of);
  return { said: text, signs, tells };
}

function unknown(of: string | undefined): never {
  throw new RangeError(`The task rules an option out by "${of}", which does not hold now.`);
}

/** Everything that a context says, tool output included. */
export function textOfContext(context: readonly ContextMessage[]): string {
  return context.flatMap(({ parts }) => parts.map(readableText)).join('\n');
}

export function answerText<T>(answer: Answer<T>): { readonly answer: string; readonly unusable: string | null } {
  return { answer: answer.text, unusable: answer.kind === 'unusable' ? answer.reason : null };
}
