import { globSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { expect, it, vi } from 'vitest';
import { readGatewaySettings } from '../../extension/host/gateway/settings';
import { readModelSettings } from '../../extension/host/models/model-settings';
import { readSettings } from '../../extension/host/settings';
import manifest from '../../package.json';

/** The defaults that the code asked for, by the setting's name. */
const asked = vi.hoisted(() => new Map<string, unknown>());

vi.mock('vscode', () => ({
  workspace: {
    isTrusted: true,
    getConfiguration: (section: string) => ({
      get: (name: string, standard: unknown) => {
        if (standard !== undefined) asked.set(`${section}.${name}`, standard);
        return standard;
      },
      inspect: () => undefined,
    }),
  },
}));

const sections: readonly { readonly properties: Readonly<Record<string, { readonly default: unknown }>> }[] =
  manifest.contributes.configuration;
const defaults = new Map(sections.flatMap(({ properties }) => Object.entries(properties)));
const defaultOf = (name: string) => defaults.get(name)?.default;

it('the defaults of settings that are read together are those of package.json', () => {
  readSettings();
  readGatewaySettings();
  readModelSettings();
  expect(asked.size).toBeGreaterThan(20);
  expect([...asked].filter(([name, standard]) => !isDeepStrictEqual(defaultOf(name), standard))).toEqual([]);
});

it('the default of a setting that one place reads is that of package.json', () => {
  const sources = globSync('extension/host/**/*.ts').map((file) => readFileSync(file, 'utf8'));
  const reads = sources.flatMap((text) => [...text.matchAll(/readSetting(?:<[^>]+>)?\('([\w.]+)', (.+?)\)/g)]);
  expect(reads.length).toBeGreaterThan(4);
  for (const [, name, standard = ''] of reads) {
    expect(defaultOf(`strata.${name}`), name).toEqual(JSON.parse(standard.replaceAll("'", '"')));
  }
});
