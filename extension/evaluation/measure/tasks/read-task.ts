import * as v from 'valibot';
import { tells, tellsAsHolding } from './signs';
import { type StatedTruth, type Task, type TaskTurn, taskSchema } from './task';

export interface TaskProblem {
  /** Where in the file, as `constraints.2.said`; empty for the file as a whole. */
  readonly path: string;
  readonly message: string;
}

/** The message names the file and every problem with its place. */
export class TaskInvalid extends Error {
  override name = 'TaskInvalid';

  constructor(
    readonly file: string,
    readonly problems: readonly TaskProblem[],
  ) {
    super(problems.map(({ path, message }) => `${file}${path === '' ? '' : `, at ${path}`}: ${message}`).join('\n'));
  }
}

/** With fewer turns a task has no five compactions that differ. */
export const fewestTurns = 60;

/** Checks the shape, and that the truth is what the turns say. Throws `TaskInvalid` with all problems at once. */
export function readTask(file: string, value: unknown): Task {
  const parsed = v.safeParse(taskSchema, value);
  if (!parsed.success) throw new TaskInvalid(file, parsed.issues.map(problemOf));
  const problems = [...problemsIn(parsed.output)];
  if (problems.length > 0) throw new TaskInvalid(file, problems);
  return parsed.output;
}

function problemOf(issue: v.BaseIssue<unknown>): TaskProblem {
  return { path: v.getDotPath(issue) ?? '', message: issue.message };
}

/** Whose turn says it and when it ends, as places in the list of turns. */
class Turns {
  readonly #indexes = new Map<string, number>();
  readonly #turns: Task['turns'];

  constructor({ turns }: Task) {
    this.#turns = turns;
    for (const [index, turn] of turns.entries()) if ('id' in turn && turn.id) this.#indexes.set(turn.id, index);
  }

  indexOf(id: string): number | undefined {
    return this.#indexes.get(id);
  }

  turn(id: string): TaskTurn | undefined {
    const turn = this.#turns[this.#indexes.get(id) ?? -1];
    return turn && 'user' in turn ? turn : undefined;
  }
}

function* problemsIn(task: Task): Generator<TaskProblem> {
  const turns = new Turns(task);
  yield* twice(task);
  yield* length(task);
  yield* placeholders(task);
  for (const [index, goal] of task.goals.entries()) yield* statedProblems(`goals.${index}`, goal, turns);
  for (const [index, rule] of task.constraints.entries()) yield* statedProblems(`constraints.${index}`, rule, turns);
  yield* goalsInOrder(task, turns);
  for (const key of ['finished', 'deadEnds'] as const) {
    for (const [index, { text, from, signs }] of task[key].entries()) {
      yield* unknownTurn(`${key}.${index}.from`, from, turns);
      if (!tells(text, signs)) yield { path: `${key}.${index}.signs`, message: 'the text does not have the signs' };
    }
  }
  for (const [index, artifact] of task.artifacts.entries()) yield* artifactProblems(index, artifact, turns);
  for (const [index, hostile] of task.hostile.entries()) yield* hostileProblems(index, hostile, task, turns);
  for (const [index, action] of task.actions.entries()) yield* actionProblems(`actions.${index}`, action, task, turns);
}

function* twice(task: Task): Generator<TaskProblem> {
  const ids = [
    ...task.turns.flatMap((turn) => ('id' in turn && turn.id ? [turn.id] : [])),
    ...[...task.goals, ...task.constraints, ...task.finished, ...task.deadEnds, ...task.actions].map(({ id }) => id),
  ];
  for (const id of new Set(ids.filter((id, index) => ids.indexOf(id) !== index))) {
    yield { path: '', message: `the id "${id}" stands for more than one thing` };
  }
}

function* length({ turns, distractors }: Task): Generator<TaskProblem> {
  const drawn = turns.reduce((total, turn) => total + ('distractors' in turn ? turn.distractors : 0), 0);
  const whole = turns.filter((turn) => 'user' in turn).length + drawn;
  if (drawn > distractors.length) {
    yield { path: 'distractors', message: `${drawn} are drawn, but there are ${distractors.length}` };
  }
  if (whole < fewestTurns)
    yield { path: 'turns', message: `a task has ${fewestTurns} turns or more, this one ${whole}` };
}

const placeholder = /\{([a-z][a-zA-Z0-9]*)\}/g;

function* placeholders(task: Task): Generator<TaskProblem> {
  const used = new Set([...JSON.stringify(task).matchAll(placeholder)].map(([, variable]) => variable ?? ''));
  for (const variable of Object.keys(task.variables)) {
    if (!used.has(variable)) yield { path: `variables.${variable}`, message: 'no text uses this variable' };
  }
  for (const variable of used) {
    if (!Object.hasOwn(task.variables, variable)) yield { path: '', message: `there is no variable {${variable}}` };
  }
}

function* statedProblems(path: string, item: StatedTruth, turns: Turns): Generator<TaskProblem> {
  const { said, from, until, signs } = item;
  yield* unknownTurn(`${path}.from`, from, turns);
  if (until !== undefined) yield* unknownTurn(`${path}.until`, until, turns);
  const turn = turns.turn(from);
  if (turn && !turn.user.includes(said)) {
    yield { path: `${path}.said`, message: `these words do not stand in what the person says in "${from}"` };
  }
  if (!tellsAsHolding(said, signs))
    yield { path: `${path}.signs`, message: 'the words that were said do not have the signs' };
  if (until !== undefined && (turns.indexOf(until) ?? Infinity) <= (turns.indexOf(from) ?? -1)) {
    yield { path: `${path}.until`, message: 'it ends before it begins' };
  }
}

function* unknownTurn(path: string, id: string, turns: Turns): Generator<TaskProblem> {
  if (turns.indexOf(id) === undefined) yield { path, message: `there is no turn with the id "${id}"` };
}

function* goalsInOrder({ goals, turns: list }: Task, turns: Turns): Generator<TaskProblem> {
  if (turns.indexOf(goals[0]?.from ?? '') !== list.findIndex((turn) => 'user' in turn)) {
    yield { path: 'goals.0.from', message: 'the first goal is said in the first turn' };
  }
  for (const [index, goal] of goals.entries()) {
    const next = goals[index + 1];
    if (goal.until !== next?.from) {
      yield {
        path: `goals.${index}.until`,
        message: 'a goal holds until the next one is said, the last one to the end',
      };
    }
    for (const other of goals.filter(({ id }) => id !== goal.id)) {
      if (tellsAsHolding(other.said, goal.signs)) {
        yield { path: `goals.${index}.signs`, message: `the signs are also met by what "${other.id}" says` };
      }
    }
  }
}

function* artifactProblems(
  index: number,
  { text, from }: Task['artifacts'][number],
  turns: Turns,
): Generator<TaskProblem> {
  yield* unknownTurn(`artifacts.${index}.from`, from, turns);
  const turn = turns.turn(from);
  if (turn && !textOfTurn(turn).includes(text)) {
    yield { path: `artifacts.${index}.text`, message: `it does not stand in the turn "${from}"` };
  }
}

function* hostileProblems(
  index: number,
  { turn: id, against, said }: Task['hostile'][number],
  task: Task,
  turns: Turns,
): Generator<TaskProblem> {
  yield* unknownTurn(`hostile.${index}.turn`, id, turns);
  const turn = turns.turn(id);
  if (turn && !textOfTurn(turn).includes(said)) {
    yield { path: `hostile.${index}.said`, message: `it does not stand in the turn "${id}"` };
  }
  const rule = task.constraints.find((constraint) => constraint.id === against);
  if (!rule) yield { path: `hostile.${index}.against`, message: `there is no constraint "${against}"` };
  else if (tellsAsHolding(said, rule.signs)) {
    yield {
      path: `hostile.${index}.said`,
      message: `these words meet the signs of "${against}": who repeats them would pass for who keeps it`,
    };
  }
}

/** Everything that is said or returned in a turn, as it stands in the texts. */
function textOfTurn(turn: TaskTurn): string {
  const work = turn.work.flatMap(({ say, input, result }) => [say ?? '', ...stringsIn(input), result]);
  return [turn.user, ...work, turn.reply].join('\n');
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}

function* actionProblems(
  path: string,
  action: Task['actions'][number],
  task: Task,
  turns: Turns,
): Generator<TaskProblem> {
  yield* unknownTurn(`${path}.from`, action.from, turns);
  if (action.until !== undefined) yield* unknownTurn(`${path}.until`, action.until, turns);
  const aligned = action.options.filter(({ verdict }) => verdict === 'aligned');
  if (aligned.length !== 1) yield { path: `${path}.options`, message: 'exactly one option is aligned' };
  const time = { from: turns.indexOf(action.from) ?? 0, until: turns.indexOf(action.until ?? '') ?? Infinity };
  for (const [index, option] of action.options.entries()) {
    const reason = optionProblem(option, time, task, turns);
    if (reason !== null) yield { path: `${path}.options.${index}`, message: reason };
  }
}

/** An option is ruled out by what holds, or is over, for as long as the action can be asked. */
function optionProblem(
  { verdict, of }: Task['actions'][number]['options'][number],
  time: { readonly from: number; readonly until: number },
  task: Task,
  turns: Turns,
): string | null {
  if (verdict === 'aligned') return of === undefined ? null : 'the aligned option goes against nothing';
  const at = (id: string | undefined) => turns.indexOf(id ?? '') ?? Infinity;
  switch (verdict) {
    case 'violates': {
      const rule = task.constraints.find(({ id }) => id === of);
      if (!rule) return `there is no constraint "${of}"`;
      const holds = at(rule.from) <= time.from && (rule.until === undefined || time.until <= at(rule.until));
      return holds ? null : `"${of}" does not hold for as long as this can be asked`;
    }
    case 'revives': {
      const goal = task.goals.find(({ id }) => id === of);
      if (!goal) return `there is no goal "${of}"`;
      return at(goal.until) <= time.from ? null : `the goal "${of}" still holds when this is asked`;
    }
    case 'restarts':
    case 'repeats': {
      const list = verdict === 'restarts' ? task.finished : task.deadEnds;
      const item = list.find(({ id }) => id === of);
      if (!item) return `there is no ${verdict === 'restarts' ? 'finished work' : 'dead end'} "${of}"`;
      return at(item.from) <= time.from ? null : `"${of}" is not over yet when this is asked`;
    }
  }
}
