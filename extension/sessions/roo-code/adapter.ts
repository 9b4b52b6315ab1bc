import type { StoreFormat } from '../adapter';
import { standingOf, taskFormat } from '../cline/extension-tasks';
import { listWholeFile } from '../cline/listing';
import { WholeFilesReading } from '../cline/reading';
import { condensations, effectiveHistory } from './effective-history';

const tasks = taskFormat({
  agent: 'roo-code',
  extension: 'rooveterinaryinc.roo-cline',
  standingOf: (message) => (message.isSummary === true ? 'summary' : standingOf(message)),
  sentOf: effectiveHistory,
  compactionsOf: condensations,
});

/** Tasks of the extension Roo Code, which came from Cline's. */
export const rooCode: StoreFormat = {
  kind: 'store',
  agent: 'roo-code',
  roots: (environment) => tasks.roots(environment),
  foldersBelowRoot: 1,
  mayBeSession: (path) => tasks.mayBeSession(path),
  recognises: (file, beginning) => tasks.recognises(file, beginning),
  companions: (file) => tasks.companions(file),
  rewritesFiles: true,
  list: (file) => listWholeFile(file, tasks.companions(file), tasks.maker(file)),
  open: (file, key) =>
    key === null
      ? WholeFilesReading.open(file, tasks.companions(file), tasks.maker(file))
      : Promise.resolve({ kind: 'missing', message: `There is no file ${file}#${key}` }),
};
