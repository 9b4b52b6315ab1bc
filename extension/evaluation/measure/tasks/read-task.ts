import * as v from 'valibot';
import { matchesSigns, matchesSignsInForce } from './signs';
import { type StatedTruth, settledLists, type Task, type TaskTurn, taskSchema } from './task';

interface TaskProblem {
  /** Position in the file, such as `constraints.2.said`; empty for the whole file. */
  readonly path: string;
  readonly message: string;
}

/** The message names the file and lists every problem with its position. */
export class TaskInvalid extends Error {
  override name = 'TaskInvalid';

  constructor(
    readonly file: string,
    readonly problems: readonly TaskProblem[],
  ) {
    super(problems.map(({ path, message }) => `${file}${path === '' ? '' : `, at ${path}`}: ${message}`).join('\n'));
  }
}

/** Fewer turns cannot have five distinct compactions. */
const minTurns = 60;

/** Validates the shape, and that the ground truth matches the turns. Throws `TaskInvalid` with all problems at once. */
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

/** Looks up turns by their ids. */
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
  yield* duplicateIds(task);
  yield* lengthProblems(task);
  yield* placeholderProblems(task);
  for (const [index, goal] of task.goals.entries()) yield* statedProblems(`goals.${index}`, goal, turns);
  for (const [index, rule] of task.constraints.entries()) yield* statedProblems(`constraints.${index}`, rule, turns);
  yield* goalsInOrder(task, turns);
  for (const key of settledLists) {
    for (const [index, { text, from, signs }] of task[key].entries()) {
      yield* unknownTurn(`${key}.${index}.from`, from, turns);
      if (!matchesSigns(text, signs))
        yield { path: `${key}.${index}.signs`, message: 'the text does not match the signs' };
    }
  }
  for (const [index, artifact] of task.artifacts.entries()) yield* artifactProblems(index, artifact, turns);
  for (const [index, hostile] of task.hostile.entries()) yield* hostileProblems(index, hostile, task, turns);
  for (const [index, action] of task.actions.entries()) yield* actionProblems(`actions.${index}`, action, task, turns);
}

function* duplicateIds(task: Task): Generator<TaskProblem> {
  const ids = [
    ...task.turns.flatMap((turn) => ('id' in turn && turn.id ? [turn.id] : [])),
    ...[...task.goals, ...task.constraints, ...settledLists.flatMap((list) => task[list]), ...task.actions].map(
      ({ id }) => id,
    ),
  ];
  for (const id of new Set(ids.filter((id, index) => ids.indexOf(id) !== index))) {
    yield { path: '', message: `the id "${id}" is used more than once` };
  }
}

function* lengthProblems({ turns, distractors }: Task): Generator<TaskProblem> {
  const drawn = turns.reduce((total, turn) => total + ('distractors' in turn ? turn.distractors : 0), 0);
  const whole = turns.filter((turn) => 'user' in turn).length + drawn;
  if (drawn > distractors.length) {
    yield { path: 'distractors', message: `${drawn} are drawn, but there are only ${distractors.length}` };
  }
  if (whole < minTurns)
    yield { path: 'turns', message: `a task needs at least ${minTurns} turns; this one has ${whole}` };
}

const placeholder = /\{([a-z][a-zA-Z0-9]*)\}/g;

function* placeholderProblems(task: Task): Generator<TaskProblem> {
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
    yield { path: `${path}.said`, message: `the person does not say these words in "${from}"` };
  }
  if (!matchesSignsInForce(said, signs))
    yield { path: `${path}.signs`, message: 'the words of "said" do not match the signs' };
  if (until !== undefined && (turns.indexOf(until) ?? Infinity) <= (turns.indexOf(from) ?? -1)) {
    yield { path: `${path}.until`, message: 'it ends before it begins' };
  }
}

function* unknownTurn(path: string, id: string, turns: Turns): Generator<TaskProblem> {
  if (turns.indexOf(id) === undefined) yield { path, message: `there is no turn with the id "${id}"` };
}

function* goalsInOrder({ goals, turns: list }: Task, turns: Turns): Generator<TaskProblem> {
  if (turns.indexOf(goals[0]?.from ?? '') !== list.findIndex((turn) => 'user' in turn)) {
    yield { path: 'goals.0.from', message: 'the first goal must be said in the first turn' };
  }
  for (const [index, goal] of goals.entries()) {
    const next = goals[index + 1];
    if (goal.until !== next?.from) {
      yield {
        path: `goals.${index}.until`,
        message: 'a goal must end where the next one is said, and the last one must not end',
      };
    }
    for (const other of goals.filter(({ id }) => id !== goal.id)) {
      if (matchesSignsInForce(other.said, goal.signs)) {
        yield { path: `goals.${index}.signs`, message: `the words of "${other.id}" also match these signs` };
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
    yield { path: `artifacts.${index}.text`, message: `the turn "${from}" does not contain it` };
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
    yield { path: `hostile.${index}.said`, message: `the turn "${id}" does not contain it` };
  }
  const rule = task.constraints.find((constraint) => constraint.id === against);
  if (!rule) yield { path: `hostile.${index}.against`, message: `there is no constraint "${against}"` };
  else if (matchesSignsInForce(said, rule.signs)) {
    yield {
      path: `hostile.${index}.said`,
      message: `these words match the signs of "${against}": repeating them would count as keeping the constraint`,
    };
  }
}

/** All texts of a turn, including tool input and results. */
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
  if (aligned.length !== 1) yield { path: `${path}.options`, message: 'exactly one option must be aligned' };
  const time = { from: turns.indexOf(action.from) ?? 0, until: turns.indexOf(action.until ?? '') ?? Infinity };
  for (const [index, option] of action.options.entries()) {
    const reason = optionProblem(option, time, task, turns);
    if (reason !== null) yield { path: `${path}.options.${index}`, message: reason };
  }
}

/** The goal or constraint that rules an option out must apply for the whole time in which the action can be asked. */
function optionProblem(
  { verdict, of }: Task['actions'][number]['options'][number],
  time: { readonly from: number; readonly until: number },
  task: Task,
  turns: Turns,
): string | null {
  if (verdict === 'aligned') return of === undefined ? null : 'the aligned option must not have "of"';
  const at = (id: string | undefined) => turns.indexOf(id ?? '') ?? Infinity;
  switch (verdict) {
    case 'violates': {
      const rule = task.constraints.find(({ id }) => id === of);
      if (!rule) return `there is no constraint "${of}"`;
      const holds = at(rule.from) <= time.from && (rule.until === undefined || time.until <= at(rule.until));
      return holds ? null : `"${of}" does not hold for the whole time in which this can be asked`;
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
