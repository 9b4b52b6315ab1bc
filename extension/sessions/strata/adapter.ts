import { basename, join } from 'node:path';
import { dataFolder } from '../../platform/files/data-folder';
import type { AgentEnvironment } from '../../platform/files/environment';
import * as s from '../../platform/json/schemas';
import { recordsOf } from '../../platform/lines/line';
import type { LineFormat } from '../adapter';
import { outlineBy } from '../records/outline';
import { StrataBuilder } from './builder';
import { extensionId } from './extension-id';
import { conversationsFolder } from './places';

export const strata: LineFormat = {
  kind: 'lines',
  agent: 'strata',
  roots: (environment: AgentEnvironment) => [
    ...(environment.editorFolders ?? []).map((folder) =>
      join(folder, 'globalStorage', extensionId, conversationsFolder),
    ),
    join(dataFolder(environment), 'strata', conversationsFolder),
  ],
  foldersBelowRoot: 0,
  mayBeSession: (path) => basename(path).endsWith('.jsonl'),
  recognises,
  // A slash command alone begins a conversation too, but adds no message to it.
  summarise: outlineBy(
    () => new StrataBuilder(''),
    ({ title }, lines) => title === null && !lines.some((text) => text.includes('"type":"entry"')),
  ),
  createBuilder: (file) => new StrataBuilder(file),
};

const firstRecord = s.record({
  type: s.name,
  id: s.name,
  entry: s.record({ id: s.name, role: s.name, parts: s.anything }),
});

/** The first record of every conversation is its header, unless it was lost. */
function recognises(head: readonly string[]): boolean {
  const [first] = recordsOf(head);
  const { type, id, entry } = s.read(firstRecord, first);
  if (type === 'strata-conversation') return id !== null;
  return (type === 'entry' || type === 'system') && entry.role !== null && Array.isArray(entry.parts);
}
