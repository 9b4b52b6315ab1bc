import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { exists } from '../../platform/files/exists';
import { privateFile, privateFolder } from '../../platform/files/private-modes';
import { textOf } from '../../platform/files/text-of';
import * as s from '../../platform/json/schemas';
import { recordsOf } from '../../platform/lines/line';

/** A fork that Strata wrote, as its original links to it. */
export interface KnownFork {
  readonly file: string;
  readonly title: string | null;
}

/** Stored beside the journals, one line for each fork. The fork itself names its original. */
const indexName = 'forks.jsonl';

const indexLine = s.record({ original: s.name, file: s.name, title: s.name });

export async function rememberFork(journals: string, original: string, { file, title }: KnownFork): Promise<void> {
  await mkdir(journals, { recursive: true, mode: privateFolder });
  const line = JSON.stringify({ original, file, title, time: new Date().toISOString() });
  await appendFile(join(journals, indexName), `${line}\n`, { mode: privateFile });
}

/** The forks of a session that still exist, oldest first. */
export async function forksOf(journals: string, original: string): Promise<readonly KnownFork[]> {
  const lines = ((await textOf(join(journals, indexName))) ?? '').split('\n');
  const found: KnownFork[] = [];
  for (const record of recordsOf(lines)) {
    const { original: of, file, title } = s.read(indexLine, record);
    if (of === original && file !== null && (await exists(file))) found.push({ file, title });
  }
  return found;
}
