import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BrokenPolicy, type CompactionPolicy } from '../engine/policies/policy';
import { NameTaken, registerPolicy } from '../engine/run/prepare/registry';
import { CommandFailed } from './command-failed';

/**
 * Loads modules with the user's own policies and registers the policies that they export. Only files that the user
 * names are run. Rejects with `CommandFailed` for a module that cannot be used.
 */
export async function loadPolicies(files: readonly string[] = []): Promise<void> {
  for (const file of files) {
    const exported = await importModule(file);
    const policies = Object.values(exported).flatMap(candidates);
    if (policies.length === 0)
      throw unusable(file, 'it exports no policy, that is, an object with a name and the functions of a policy');
    for (const policy of new Set(policies)) register(file, policy);
  }
}

async function importModule(file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await import(/* @vite-ignore */ pathToFileURL(resolve(file)).href);
  } catch (error) {
    throw unusable(file, error instanceof Error ? error.message : String(error), error);
  }
}

/** An export is a policy or an array of them. Other exports are ignored. */
function candidates(exported: unknown): Readonly<Record<string, unknown>>[] {
  if (Array.isArray(exported)) return exported.flatMap(candidates);
  if (typeof exported !== 'object' || exported === null) return [];
  const fields = exported as Readonly<Record<string, unknown>>;
  return Object.keys(shape).some((field) => field !== 'name' && field in fields) ? [fields] : [];
}

const shape: Readonly<Record<string, 'string' | 'function' | 'object'>> = {
  name: 'string',
  defaults: 'object',
  shouldCompact: 'function',
  tiers: 'function',
  summarize: 'function',
};

function register(file: string, fields: Readonly<Record<string, unknown>>): void {
  const wrong = Object.entries(shape).filter(
    ([field, type]) => typeof fields[field] !== type || fields[field] === null,
  );
  if (wrong.length > 0) throw unusable(file, `a policy in it lacks ${wrong.map(inWords).join(', ')}`);
  const policy = { title: fields.name, description: `From ${file}.`, ...fields } as unknown as CompactionPolicy;
  try {
    registerPolicy(policy);
  } catch (error) {
    if (error instanceof NameTaken || error instanceof BrokenPolicy) throw unusable(file, error.message, error);
    throw error;
  }
}

function inWords([field, type]: [string, string]): string {
  return type === 'function' ? `the function ${field}` : `${field} (${type === 'object' ? 'an object' : `a ${type}`})`;
}

function unusable(file: string, reason: string, cause?: unknown): CommandFailed {
  const failed = new CommandFailed(`the policies in ${file} cannot be used: ${reason}`, true);
  failed.cause = cause;
  return failed;
}
