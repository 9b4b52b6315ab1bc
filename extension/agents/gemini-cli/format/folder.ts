import { basename, dirname, join } from 'node:path';
import { textOf } from '../../../platform/files/text-of';
import { parsedJson } from '../../../platform/json/json-text';
import * as s from '../../../platform/json/schemas';

const projectsFile = s.record({ projects: s.jsonRecord });

/**
 * The working folder of a session. `tmp/<project name>/.project_root` contains its path; `projects.json`, next to `tmp`,
 * maps the paths of all projects to their names.
 */
export async function projectFolder(file: string): Promise<string | null> {
  const project = projectOf(file);
  if (project === null) return null;
  const root = (await textOf(join(project, '.project_root')))?.trim() ?? '';
  return root === '' ? await listedFolder(project) : root;
}

/** The file of a subagent is one folder deeper. */
function projectOf(file: string): string | null {
  const folder = dirname(file);
  if (basename(folder) === 'chats') return dirname(folder);
  return basename(dirname(folder)) === 'chats' ? dirname(dirname(folder)) : null;
}

async function listedFolder(project: string): Promise<string | null> {
  const text = await textOf(join(dirname(dirname(project)), 'projects.json'));
  const { projects } = s.read(projectsFile, parsedJson(text ?? ''));
  return (
    Object.entries(projects ?? {}).find(([folder, name]) => folder !== '' && name === basename(project))?.[0] ?? null
  );
}
