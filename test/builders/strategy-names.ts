import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const manifest = resolve(import.meta.dirname, '../../package.json');

/** As the settings offer them; another test holds them against the registry. */
export const strategyNames: readonly string[] = JSON.parse(readFileSync(manifest, 'utf8')).contributes.configuration
  .properties['strata.compaction.strategy'].enum;
