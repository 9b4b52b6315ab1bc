import type { Entry } from '../conversation/entry';
import { oncePer } from '../conversation/once-per';
import { commandIn, keyOfCommand } from './commands';
import { type ToolStep, toolStepsOf } from './steps';

/** The last place at which each command was run in a whole context. */
const lastRuns = oncePer((context: readonly Entry[]) => {
  const places = new Map(context.map(({ id }, at) => [id, at]));
  const runs = new Map<string, number>();
  for (const step of toolStepsOf(context)) {
    const at = places.get(step.entryIds[0] ?? '') ?? -1;
    const command = step.kind === 'run' ? commandIn(step) : null;
    if (command !== null) runs.set(keyOfCommand(command), at);
  }
  return { places, runs };
});

/** The steps whose outcome still holds at the end of the context: their command was not run again. */
export function stillHolding(steps: readonly ToolStep[], context: readonly Entry[]): readonly ToolStep[] {
  const { places, runs } = lastRuns(context);
  const end = places.get(steps.at(-1)?.entryIds[0] ?? '');
  if (end === undefined) return steps;
  return steps.filter((step) => {
    const command = step.kind === 'run' ? commandIn(step) : null;
    return command === null || (runs.get(keyOfCommand(command)) ?? end) <= end;
  });
}
