import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Settings } from './browser-editor/settings.ts';
import { editorCacheFolder, projectFolder } from './paths.ts';

/** The session of the sample workspace: a real, long one that its agent has compacted once. */
export const SAMPLE_SESSION = join(projectFolder, 'test/fixtures/pi-v1/until-after-first-compaction.jsonl');

/**
 * The time at which the session was last written. A file that was just written would look like a session in progress.
 */
const SAMPLE_SESSION_ENDED = new Date('2025-12-08T23:33:00Z');

/** The folder of the copied session in the sample workspace. */
const SESSION_FOLDER = 'sessions';

const README = `# Sample workspace

Press F1 and run "Strata: Open Session…" to see the session of this folder.
`;

export interface SampleWorkspace {
  readonly folder: string;
  /** User settings that make Strata list the session. A workspace cannot set them. */
  readonly settings: Settings;
  /** The copied session, or that there was none to copy. */
  readonly session: { readonly kind: 'copied'; readonly path: string } | { readonly kind: 'missing' };
}

export interface SampleOptions {
  /** Makes the session name this workspace as its agent's folder. */
  readonly isOfThisFolder?: boolean;
}

/** A new workspace folder, so that its session can be compacted, undone and forked without consequences. */
export async function prepareSampleWorkspace(
  folder = join(editorCacheFolder, 'sample-workspace'),
  { isOfThisFolder = false }: SampleOptions = {},
): Promise<SampleWorkspace> {
  await rm(folder, { recursive: true, force: true });
  await writeInto(folder, 'README.md', README);
  const sessionFolder = join(folder, SESSION_FOLDER);
  const settings: Settings = { 'strata.sessions.folders': [sessionFolder] };
  if (!existsSync(SAMPLE_SESSION)) return { folder, settings, session: { kind: 'missing' } };
  const path = join(sessionFolder, basename(SAMPLE_SESSION));
  await mkdir(sessionFolder, { recursive: true });
  await copyFile(SAMPLE_SESSION, path);
  if (isOfThisFolder) await moveSession(path, folder);
  await utimes(path, SAMPLE_SESSION_ENDED, SAMPLE_SESSION_ENDED);
  return { folder, settings, session: { kind: 'copied', path } };
}

/** The first line of a session of pi contains its folder. */
async function moveSession(path: string, cwd: string): Promise<void> {
  const [header = '', ...lines] = (await readFile(path, 'utf8')).split('\n');
  await writeFile(path, [JSON.stringify({ ...JSON.parse(header), cwd }), ...lines].join('\n'));
}

async function writeInto(folder: string, name: string, text: string): Promise<void> {
  const file = join(folder, name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
