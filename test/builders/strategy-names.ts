import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const manifest = resolve(import.meta.dirname, '../../package.json');

interface Section {
  readonly properties: Readonly<Record<string, { readonly enum?: readonly string[] }>>;
}

const sections: readonly Section[] = JSON.parse(readFileSync(manifest, 'utf8')).contributes.configuration;

/** The names as the settings offer them. Another test compares them with the registry. */
export const strategyNames: readonly string[] = sections.flatMap(
  ({ properties }) => properties['strata.compaction.strategy']?.enum ?? [],
);
