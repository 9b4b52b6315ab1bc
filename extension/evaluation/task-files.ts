import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readTask, TaskInvalid } from './measure/tasks/read-task';
import type { Task } from './measure/tasks/task';

/** Reads one task file, or all of a folder sorted by name. Throws `TaskInvalid`, which names the file and the position. */
export async function readTaskFiles(path: string): Promise<Task[]> {
  const files = (await isFolder(path))
    ? (await readdir(path)).filter((name) => name.endsWith('.json')).map((name) => join(path, name))
    : [path];
  if (files.length === 0) throw new TaskInvalid(path, [{ path: '', message: 'there are no task files (.json) here' }]);
  const tasks = await Promise.all(files.sort().map(readTaskFile));
  refuseTwins(tasks, path);
  return tasks;
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (cause) {
    throw new TaskInvalid(path, [{ path: '', message: `it could not be read: ${String(cause)}` }]);
  }
}

/** Results identify a task by its name only, so names must be unique. */
function refuseTwins(tasks: readonly Task[], path: string): void {
  const names = tasks.map(({ name }) => name);
  const twin = names.find((name, index) => names.indexOf(name) !== index);
  if (twin !== undefined) throw new TaskInvalid(path, [{ path: '', message: `two tasks have the name "${twin}"` }]);
}

async function readTaskFile(file: string): Promise<Task> {
  const text = await textOf(file);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new TaskInvalid(file, [{ path: '', message: `it is not JSON: ${String(error)}` }]);
  }
  return readTask(file, value);
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new TaskInvalid(file, [{ path: '', message: `it could not be read: ${String(cause)}` }]);
  }
}
