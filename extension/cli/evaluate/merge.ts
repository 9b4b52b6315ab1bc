import { join, resolve } from 'node:path';
import { resultsText } from '../../evaluation/measure/evaluation-results';
import { mergeResults } from '../../evaluation/merge';
import { fileNames } from '../../evaluation/outputs';
import { loadResults } from '../../evaluation/results-file';
import { replaceFile } from '../../platform/files/replace-file';
import { warn } from '../output';
import { report } from './evaluate';
import { explained } from './explained';
import { outFolder } from './out-folder';

interface MergeOptions {
  readonly out: string;
  readonly json?: boolean;
}

/** Merges the shards of one run and reports them. For a single file, writes its report again. */
export async function merge(files: readonly string[], options: MergeOptions): Promise<void> {
  const folder = await outFolder(options.out);
  const all = await explained(() =>
    Promise.all(files.map(async (file) => ({ file, results: await loadResults(resolve(file)) }))),
  );
  const merged = await explained(async () => mergeResults(all));
  const { header, units } = merged;
  if (units.length < header.units) warn(`only ${units.length} of ${header.units} units present; the report says so.`);
  await replaceFile(join(folder, fileNames.results), resultsText(merged));
  await report(merged, folder, options);
}
