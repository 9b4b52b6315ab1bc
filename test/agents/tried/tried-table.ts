import { type AgentId, agentNames } from '../../../extension/sessions/session';

/** One test of a run. */
export interface Check {
  readonly file: string;
  /** The titles of the enclosing suites and of the check itself, outermost first. */
  readonly titles: readonly string[];
  readonly isSkipped: boolean;
  readonly hasFailed: boolean;
}

/** The parts that were tested of an agent: reading and following its sessions, forks of them, and Strata inside. */
export const triedParts = ['sessions', 'fork', 'inside'] as const;

export type TriedPart = (typeof triedParts)[number];

export interface Tried {
  readonly agent: AgentId;
  readonly version: string;
  readonly checks: Readonly<Record<TriedPart, readonly Check[]>>;
}

const ids = Object.keys(agentNames) as AgentId[];

/**
 * The checks of each agent that this run tested in some version. Checks that cover several agents, such as those of the
 * gateway, are left out.
 */
export function triedIn(checks: readonly Check[]): readonly Tried[] {
  return ids.flatMap((agent) => {
    const own = checks.flatMap((check) => {
      const part = partOf(agent, check);
      return part === null ? [] : [{ check, part }];
    });
    const ofPart = (wanted: TriedPart) => own.filter(({ part }) => part === wanted).map(({ check }) => check);
    const versions = own.map(({ check }) => versionIn(agent, check.titles[0]));
    const version = versions.find((found) => found !== '') ?? '';
    if (version === '' || own.every(({ check }) => check.isSkipped)) return [];
    return [
      { agent, version, checks: { sessions: ofPart('sessions'), fork: ofPart('fork'), inside: ofPart('inside') } },
    ];
  });
}

function partOf(agent: AgentId, { file, titles }: Check): TriedPart | null {
  const [first = '', ...others] = titles;
  const isOfAgent = file.endsWith(`/${agent}.agents.ts`);
  if (/[\\/]inside[\\/]/.test(file)) return isOfAgent || names(agent).test(first) ? 'inside' : null;
  if (!isOfAgent) return null;
  return others.some((name) => /\bfork\b|in place/.test(name)) ? 'fork' : 'sessions';
}

function names(agent: AgentId): RegExp {
  return new RegExp(`(?:^| )${agent}(?: |$)`);
}

function versionIn(agent: AgentId, title = ''): string {
  const [, version = ''] = new RegExp(`(?:^| )${agent} (\\d[\\w.-]*)`).exec(title) ?? [];
  return version;
}

const head = ['| agent | version | sessions | fork | inside | tried on |', '| --- | --- | --- | --- | --- | --- |'];

/**
 * The page with a row for each tested agent. Rows of other agents stay, and so do cells of parts that this run did not
 * test.
 */
export function withTried(page: string, tried: readonly Tried[], day: string): string {
  const table = /^\| agent \| version \|.*\n\|[ |-]+\n((?:\|.*\n)*)/m.exec(page);
  if (table === null) throw new Error('The page has no table of versions.');
  const rows = new Map((table[1] ?? '').split('\n').map((row) => [cellsOf(row)[0] ?? '', row]));
  rows.delete('');
  for (const one of tried) {
    const name = agentNames[one.agent];
    rows.set(name, rowOf(one, rows.get(name) ?? '', day));
  }
  return page.replace(table[0], `${[...head, ...rows.values()].join('\n')}\n`);
}

function rowOf({ agent, version, checks }: Tried, before: string, day: string): string {
  const known = cellsOf(before);
  const isSame = known[1] === version;
  const cells = triedParts.map((part, index) => cellOf(checks[part], (isSame ? known[index + 2] : undefined) ?? '–'));
  return `| ${[agentNames[agent], version, ...cells, day].join(' | ')} |`;
}

/**
 * The cell for these checks. A run of only some checks keeps the result of a larger run, unless one of its own failed.
 */
function cellOf(checks: readonly Check[], known: string): string {
  const hasFailed = checks.some((check) => check.hasFailed);
  const run = checks.filter(({ isSkipped }) => !isSkipped).length;
  const isLess = run < Number(/ of (\d+)$/.exec(known)?.[1] ?? 0);
  return checks.length === 0 || (isLess && !hasFailed) ? known : countOf(checks);
}

function cellsOf(row: string): string[] {
  return row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

function countOf(checks: readonly Check[]): string {
  const run = checks.filter(({ isSkipped }) => !isSkipped);
  if (run.length === 0) return 'not tried';
  return `${run.filter(({ hasFailed }) => !hasFailed).length} of ${run.length}`;
}
