import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { localizable } from '../../engine/wording/localizable-text';
import { ResultsUnusable } from '../measure/evaluation-results';

/** Public repositories with sessions of agents: their addresses and commits, but none of their content. */

const source = v.object({
  /** Identifies the project in results. */
  name: v.pipe(v.string(), v.regex(/^[A-Za-z0-9][\w.-]*\/[A-Za-z0-9][\w.-]*$/, 'must be OWNER/NAME')),
  address: v.pipe(v.string(), v.regex(/^(?:https|file):\/\/\S+$/, 'must begin with https://')),
  /** Several if no single commit has all sessions, for example if a tool keeps a branch for each checkpoint. */
  commits: v.pipe(
    v.array(v.pipe(v.string(), v.regex(/^[0-9a-f]{40}$/, 'must be a whole commit id'))),
    v.minLength(1, 'must name a commit'),
    v.readonly(),
  ),
  /** The folder that contains the session files; absent if they may be anywhere. */
  folder: v.optional(v.pipe(v.string(), v.regex(/\/$/, 'must end with /'))),
  /** The ending of its session files' paths. */
  sessions: v.pipe(v.string(), v.minLength(1)),
});

const manifest = v.object({ version: v.literal(1), repositories: v.pipe(v.array(source), v.minLength(1)) });

export type BenchmarkSource = v.InferOutput<typeof source>;

/** Throws `ResultsUnusable`, which names the file and the entry. */
export async function readManifest(path: string): Promise<readonly BenchmarkSource[]> {
  const refused = (reason: string, cause?: unknown) =>
    new ResultsUnusable(localizable('{0}: this is not a manifest of a benchmark: {1}', path, reason), { cause });
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, 'utf8'));
  } catch (cause) {
    throw refused(cause instanceof Error ? cause.message : String(cause), cause);
  }
  const parsed = v.safeParse(manifest, value, { abortEarly: true });
  if (!parsed.success) {
    const [issue] = parsed.issues;
    throw refused(`${v.getDotPath(issue) ?? 'file'}: ${issue.message}`);
  }
  const { repositories } = parsed.output;
  const twice = repositories.find(({ name }, at) => repositories.findIndex((each) => each.name === name) < at);
  if (twice) throw refused(`${twice.name} is in it twice`);
  return repositories;
}
