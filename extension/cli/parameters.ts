import type { Parameters } from '../engine/block/plan';
import { findStrategy, ownersIn, type StrategyChoice } from '../engine/run/prepare/registry';
import { CommandFailed } from './command-failed';

/** Throws `CommandFailed` for a name that is not a strategy. */
export function strategyNamed(name: string): StrategyChoice {
  const choice = findStrategy(name);
  if (!choice) throw new CommandFailed(`there is no strategy named "${name}"; see strata strategies`, true);
  return choice;
}

/** `--set goal-batch.maxTurnsPerBatch=4`. The strategy's name is optional if the choice has an aim or a single step. */
export function parametersFrom(
  settings: readonly string[],
  choice: StrategyChoice,
): Readonly<Record<string, Parameters>> {
  const owners = ownersIn(choice);
  const parameters: Record<string, Record<string, Parameters[string]>> = {};
  for (const setting of settings) {
    const [, strategy = choice.aim || choice.steps.length === 1 ? choice.name : '', parameter = '', text = ''] =
      /^(?:([\w-]+)\.)?(\w+)=(.*)$/.exec(setting) ?? [];
    const standard = owners.find((owner) => owner.name === strategy)?.defaults[parameter];
    if (standard === undefined) throw new CommandFailed(`--set ${setting}: unknown parameter`, true);
    parameters[strategy] = { ...parameters[strategy], [parameter]: parsed(setting, text, standard) };
  }
  return parameters;
}

function parsed(setting: string, text: string, standard: Parameters[string]): Parameters[string] {
  if (Array.isArray(standard)) return text.split(',').filter((name) => name !== '');
  const type = typeof standard;
  if (type === 'boolean' && /^(?:true|false)$/.test(text)) return text === 'true';
  if (type === 'number' && /^\d+(?:\.\d+)?$/.test(text)) return Number(text);
  throw new CommandFailed(`--set ${setting}: the value must be a ${type}`, true);
}
