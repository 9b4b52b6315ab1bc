import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { replaceFile } from '../../platform/files/replace-file';
import type { Skipped } from '../sessions/find-sessions';
import type { BenchmarkSource } from './manifest';
import { withoutPeople } from './without-people';

interface FetchedSessions {
  /** Folders of the projects in `folder`. */
  readonly projects: readonly string[];
  readonly skipped: readonly Skipped[];
}

/**
 * Fetches the session files of public repositories at their commits, into one folder for each repository, and removes secrets and people's
 * names from them. Of several copies of a session only the longest is kept; subagents are left out. Files that were fetched before are not
 * fetched again. A repository that cannot be fetched is skipped, with the reason.
 */
export async function fetchSessions(
  sources: readonly BenchmarkSource[],
  folder: string,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (done: number, name: string) => void },
): Promise<FetchedSessions> {
  const skipped: Skipped[] = [];
  const projects: string[] = [];
  for (const [done, source] of sources.entries()) {
    signal.throwIfAborted();
    onProgress(done, source.name);
    const project = join(folder, source.name.replace('/', '+'));
    try {
      skipped.push(...(await fetched(source, project, signal)));
      projects.push(project);
    } catch (error) {
      await rm(`${project}.git`, { recursive: true, force: true });
      signal.throwIfAborted();
      skipped.push({ file: source.name, reason: `It could not be fetched: ${lastLine(error)}` });
    }
  }
  return { projects, skipped };
}

const mark = 'fetched';

async function fetched(source: BenchmarkSource, project: string, signal: AbortSignal): Promise<readonly Skipped[]> {
  const known = await readFile(join(project, mark), 'utf8').catch(() => null);
  const before = known === null ? null : (JSON.parse(known) as { source: string; skipped: readonly Skipped[] });
  const wanted = JSON.stringify([source.commits, source.folder ?? '', source.sessions]);
  if (before?.source === wanted) return before.skipped;
  const repository = `${project}.git`;
  await Promise.all([project, repository].map((path) => rm(path, { recursive: true, force: true })));
  await mkdir(dirname(repository), { recursive: true });
  const git = gitIn(repository, signal);
  await gitIn(null, signal)('init', '--quiet', '--bare', repository);
  await git('remote', 'add', 'origin', source.address);
  await git('fetch', '--quiet', '--no-tags', '--depth', '1', '--filter=blob:none', 'origin', ...source.commits);
  const files: SessionFile[] = [];
  for (const commit of source.commits)
    files.push(...filesIn((await git('ls-tree', '-r', '-z', commit)).toString(), source));
  const missing = await fetchBlobs([...new Set(files.map(({ blob }) => blob))], git, signal);
  const skipped = files
    .filter(({ blob }) => missing.has(blob))
    .map(({ path }) => ({ file: `${source.name}: ${path}`, reason: 'It is too large for its server, or gone' }));
  await mkdir(project, { recursive: true });
  await writeLongest(
    files.filter(({ blob }) => !missing.has(blob)),
    project,
    git,
  );
  await rm(repository, { recursive: true, force: true });
  await replaceFile(join(project, mark), JSON.stringify({ source: wanted, skipped }));
  return skipped;
}

interface SessionFile {
  readonly path: string;
  readonly blob: string;
}

function filesIn(tree: string, { folder = '', sessions }: BenchmarkSource): SessionFile[] {
  return tree.split('\0').flatMap((line) => {
    const [, blob = '', path = ''] = /^100\d{3} blob ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
    return path.startsWith(folder) && path.endsWith(sessions) ? [{ path, blob }] : [];
  });
}

type Git = (...parameters: readonly string[]) => Promise<Buffer>;

/** In bytes. */
const largestOutput = 512 * 1024 * 1024;

function gitIn(repository: string | null, signal: AbortSignal): Git {
  const run = promisify(execFile);
  const env = { ...process.env, GIT_TERMINAL_PROMPT: '0', GIT_NO_LAZY_FETCH: '1', LC_ALL: 'C' };
  const where = repository === null ? [] : [`--git-dir=${repository}`];
  return async (...parameters) => {
    const options = { env, signal, maxBuffer: largestOutput, encoding: 'buffer' as const };
    return (await run('git', [...where, ...parameters], options)).stdout;
  };
}

/** Returns the blobs that the server does not have. If a request contained one of them, the server would refuse the whole request. */
async function fetchBlobs(blobs: readonly string[], git: Git, signal: AbortSignal): Promise<ReadonlySet<string>> {
  if (blobs.length === 0) return new Set();
  const wanted = ['--quiet', '--no-tags', '--no-write-fetch-head', '--filter=blob:none', 'origin', ...blobs];
  try {
    await git('-c', 'fetch.negotiationAlgorithm=noop', 'fetch', ...wanted);
    return new Set();
  } catch (error) {
    signal.throwIfAborted();
    if (!refusal.test(lastLine(error))) throw error;
    if (blobs.length === 1) return new Set(blobs);
    const middle = Math.ceil(blobs.length / 2);
    const first = await fetchBlobs(blobs.slice(0, middle), git, signal);
    const second = await fetchBlobs(blobs.slice(middle), git, signal);
    return new Set([...first, ...second]);
  }
}

/** Git's messages for an object that the server does not have. Other messages mean that the server cannot be reached. */
const refusal = /not our ref|upload-pack|missing|bad object|unable to read/i;

/** Holds one file at a time. */
async function writeLongest(files: readonly SessionFile[], project: string, git: Git): Promise<void> {
  const longest = new Map<string, SessionFile & { readonly bytes: number }>();
  for (const file of files) {
    const content = await git('cat-file', 'blob', file.blob);
    const first = content.toString('utf8', 0, beginning);
    if (ofSubagent.test(first)) continue;
    const id = sessionId(first) ?? file.blob;
    if (content.length > (longest.get(id)?.bytes ?? -1)) longest.set(id, { ...file, bytes: content.length });
  }
  for (const [id, { blob }] of longest) {
    const content = await git('cat-file', 'blob', blob);
    await writeFile(join(project, `${id.replace(/[^\w.-]/g, '-')}.jsonl`), withoutPeople(content.toString('utf8')));
  }
}

/** In bytes. */
const beginning = 64 * 1024;

/** Claude Code gives the files of subagents the id of the session that started them. */
const ofSubagent = /^\{[^\n]{0,400}"isSidechain":true/;

function sessionId(text: string): string | null {
  return (
    /"(?:sessionId|session_id)":"([\w.-]{8,})"|"type":"(?:session_meta","payload":\{|session",[^\n]{0,40}?)"id":"([\w.-]{8,})"/
      .exec(text)
      ?.slice(1)
      .find((found) => found !== undefined) ?? null
  );
}

function lastLine(error: unknown): string {
  const { stderr } = error as { readonly stderr?: unknown };
  const text = stderr ? String(stderr) : error instanceof Error ? error.message : String(error);
  return text.trim().split('\n').at(-1) ?? '';
}
