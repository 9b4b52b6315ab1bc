import { Random } from '../random';
import type { Task, TaskTurn } from './task';

/** A task with the choices of one seed: variables filled in and distractors drawn. */
export interface TaskVariation extends Omit<Task, 'turns' | 'distractors' | 'variables'> {
  readonly seed: number;
  readonly turns: readonly TaskTurn[];
}

/** Deterministic for a task and seed. Different seeds give different texts, so that no strategy can be tuned to one. */
export function variationOf(task: Task, seed: number): TaskVariation {
  const random = new Random(`task ${task.name}`, seed);
  const values = new Map(Object.entries(task.variables).map(([name, among]) => [name, random.oneOf(among)]));
  const { turns, distractors, variables: _, ...rest } = filledIn(task, values);
  const drawn = random.shuffled(distractors);
  const inOrder = turns.flatMap((turn) => ('distractors' in turn ? drawn.splice(0, turn.distractors) : [turn]));
  return { ...rest, seed, turns: inOrder };
}

/** Replaces the variables in every text of a value. Other braces stay. */
function filledIn<T>(value: T, values: ReadonlyMap<string, string>): T {
  if (typeof value === 'string') return withValues(value, values) as T;
  if (Array.isArray(value)) return value.map((item) => filledIn(item, values)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, filledIn(inner, values)])) as T;
}

function withValues(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(/\{([a-z][a-zA-Z0-9]*)\}/g, (whole, name: string) => values.get(name) ?? whole);
}
