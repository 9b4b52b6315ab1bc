import { strategyChoices } from '../engine/run/prepare/registry';
import { print, printJson } from './output';

export function listStrategies({ json }: { json?: boolean }): void {
  const strategies = strategyChoices().map(({ name, title, description, steps }) => ({
    name,
    title,
    description,
    steps: steps.map((step) => ({ strategy: step.name, parameters: step.defaults })),
  }));
  if (json) {
    printJson({ strategies });
    return;
  }
  for (const { name, title, description, steps } of strategies) {
    print(`${name}  (${title})\n  ${description}`);
    if (steps.length > 1) print(`  ${steps.map(({ strategy }) => strategy).join(' → ')}`);
    else
      for (const [parameter, value] of Object.entries(steps[0]?.parameters ?? {})) print(`  ${parameter} = ${value}`);
  }
}
