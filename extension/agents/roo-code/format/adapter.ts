import type { StoreFormat } from '../../../sessions/adapter';
import { taskFormat, userMessageKind } from '../../cline/format/extension-tasks';
import { listWholeFile } from '../../cline/format/listing';
import { WholeFileReading } from '../../cline/format/reading';
import { condensations, effectiveHistory } from './effective-history';

const tasks = taskFormat({
  agent: 'roo-code',
  extension: 'rooveterinaryinc.roo-cline',
  kindOf: (message) => (message.isSummary ? 'summary' : userMessageKind(message)),
  sentOf: effectiveHistory,
  compactionsOf: condensations,
});

/** Tasks of the VS Code extension Roo Code, a fork of Cline's. */
export const rooCode: StoreFormat = {
  kind: 'store',
  agent: 'roo-code',
  ...tasks,
  foldersBelowRoot: 1,
  rewritesFiles: true,
  list: (file) => listWholeFile(file, tasks.companions(file), tasks.builder(file)),
  open: (file, key) => WholeFileReading.open(file, key, tasks.companions(file), tasks.builder(file)),
};
