import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { haloDefaults } from '../extension/engine/strategies/halo';
import { defaultStrategy, strategyChoices } from '../extension/engine/strategies/registry';

/** What package.json tells the editor is what the code does. */

const root = resolve(import.meta.dirname, '..');
const { contributes, engines, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const properties: Record<string, { default: unknown; enum?: string[] }> = contributes.configuration.properties;

/** One setting serves all strategies that share a parameter with its default. */
function isShared(name: string, standard: unknown): boolean {
  return Object.entries(haloDefaults).some(([shared, value]) => shared === name && value === standard);
}

describe('package.json', () => {
  it('offers every strategy there is, and the right one by default', () => {
    const setting = properties['strata.compaction.strategy'];
    expect(setting?.enum).toEqual(strategyChoices().map((choice) => choice.name));
    expect(setting?.default).toBe(defaultStrategy);
  });

  it('has a setting for every parameter of every strategy, with its default', () => {
    const parameters = strategyChoices()
      .flatMap((choice) => choice.steps)
      .flatMap((step) =>
        Object.entries(step.defaults).map(([name, standard]): [string, unknown] => [
          isShared(name, standard) ? `strata.compaction.${name}` : `strata.strategies.${step.name}.${name}`,
          standard,
        ]),
      );
    const known = new Map(parameters);
    const settings = Object.entries(properties)
      .filter(([name]) => name.startsWith('strata.strategies.') || known.has(name))
      .map(([name, setting]): [string, unknown] => [name, setting.default]);
    expect(new Map(settings)).toEqual(known);
  });

  it('contributes exactly the commands that are registered', () => {
    const source = readFileSync(join(root, 'extension/host/commands.ts'), 'utf8');
    const registered = [...source.matchAll(/: '(strata\.\w+)'/g)].map(([, id]) => id);
    const contributed = contributes.commands.map(({ command }: { command: string }) => command);
    expect(contributed.sort()).toEqual(registered.sort());
  });

  it('compiles against the oldest editor that it runs in', () => {
    expect(devDependencies['@types/vscode'].replace(/^\D/, '')).toBe(engines.vscode.replace(/^\D/, ''));
  });
});
