import { existsSync } from 'node:fs';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Settings } from './browser-editor/settings.ts';
import { editorCacheFolder, projectFolder } from './paths.ts';

/** The session that the sample workspace shows. */
export const SAMPLE_SESSION = join(projectFolder, 'test/fixtures/pi/session.jsonl');

/** Where that session is copied to, inside the sample workspace. */
const SESSION_FOLDER = 'sessions';

/** Workspace settings that point Strata at `SESSION_FOLDER`. */
const STRATA_SETTINGS: Settings = {};

export interface SampleWorkspace {
  readonly folder: string;
  /** The copied session, or that there was none to copy. */
  readonly session: { readonly kind: 'copied'; readonly path: string } | { readonly kind: 'missing' };
}

/** A fresh workspace folder, so that a session in it can be compacted, undone and forked without a trace. */
export async function prepareSampleWorkspace(
  folder = join(editorCacheFolder, 'sample-workspace'),
): Promise<SampleWorkspace> {
  await rm(folder, { recursive: true, force: true });
  await writeInto(folder, 'README.md', '# Sample workspace\n\nRun "Strata: …" from the command palette (F1).\n');
  await writeInto(folder, '.vscode/settings.json', JSON.stringify(STRATA_SETTINGS, undefined, 2));
  if (!existsSync(SAMPLE_SESSION)) return { folder, session: { kind: 'missing' } };
  const path = join(folder, SESSION_FOLDER, basename(SAMPLE_SESSION));
  await mkdir(dirname(path), { recursive: true });
  await copyFile(SAMPLE_SESSION, path);
  return { folder, session: { kind: 'copied', path } };
}

async function writeInto(folder: string, name: string, text: string): Promise<void> {
  const file = join(folder, name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
