import { parameterOwners } from '../engine/run/prepare/registry';
import { InvalidOption } from './invalid-option';
import type { ContextOptions } from './options';

/** Apart from the other checks, because the strategies that have parameters are half of the library. */
export function checkParameters({ parameters = {} }: Pick<ContextOptions, 'parameters'>): void {
  const owners = new Map(parameterOwners().map(({ name, defaults }) => [name, Object.keys(defaults)]));
  for (const [strategy, set] of Object.entries(parameters)) {
    const known = owners.get(strategy);
    if (!known) throw invalid(parameters, `parameters of one of ${[...owners.keys()].join(', ')}`);
    if (Object.keys(set).some((name) => !known.includes(name)))
      throw invalid(parameters, `for ${strategy} one of ${known.join(', ')}`);
  }
}

function invalid(parameters: ContextOptions['parameters'], takes: string): InvalidOption {
  return new InvalidOption(`The option parameters takes ${takes}; it was ${JSON.stringify(parameters)}.`);
}
