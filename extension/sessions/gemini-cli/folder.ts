import { basename, dirname, join } from 'node:path';
import { textOf } from '../files/text-of';
import { asName, asRecord } from '../records/json';

/**
 * The folder that a session is about: tmp/<name of the project>/.project_root has its path, and projects.json, beside
 * tmp, has the names of all of them by their paths.
 */
export async function projectFolder(file: string): Promise<string | null> {
  const project = projectOf(file);
  if (project === null) return null;
  const root = (await textOf(join(project, '.project_root')))?.trim() ?? '';
  return root === '' ? await listedFolder(project) : root;
}

/** A subagent's file lies one folder deeper. */
function projectOf(file: string): string | null {
  const folder = dirname(file);
  if (basename(folder) === 'chats') return dirname(folder);
  return basename(dirname(folder)) === 'chats' ? dirname(dirname(folder)) : null;
}

async function listedFolder(project: string): Promise<string | null> {
  const text = await textOf(join(dirname(dirname(project)), 'projects.json'));
  const projects = asRecord(asRecord(text === null ? null : parsed(text))?.projects) ?? {};
  return asName(Object.keys(projects).find((folder) => projects[folder] === basename(project)));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Being written, or damaged: then the folder is not known.
    return null;
  }
}
