import type { SectionName } from '../../engine/block/sections';
import { oneLine } from '../../engine/conversation/text';
import { isTemporary, type Reversal } from '../../engine/language/work/reversals';
import { type CommandWork, isUnavailable } from '../../engine/ledger/commands';
import { type FileWork, lastPart } from '../../engine/ledger/files';
import type { CommitFact } from '../../engine/ledger/repository';
import { type Account, shortPath } from './account';
import { beginning, type Candidate, type Excerpt, stated } from './candidate';

/** Maximum names beside a file, and files in one line. */
const maxSymbols = 6;
const maxFiles = 10;

/** What was done with each file that was changed, the newest last. */
export function changedFiles(account: Account, section: SectionName): Candidate[] {
  return account.files
    .filter((file) => isChanged(file) && !isMistaken(file, account))
    .map((file) => {
      const path = shortPath(file.path, account);
      const symbols = file.symbols.slice(0, maxSymbols);
      const beside = symbols.length === 0 ? '' : ` (${symbols.join(', ')})`;
      const failed = file.problem === null ? '' : `; the last change failed: ${beginning(file.problem, problemLength)}`;
      const excerpts = [{ text: path, entryId: file.entryId }];
      const weight = (1 + Math.min(file.changes, 4) / 4 + position(file.at, account)) * account.relevance(file.path);
      return stated(section, `${deed(file)} \`${path}\`${beside}${failed}`, excerpts, weight);
    });
}

const problemLength = 140;

function isChanged({ path, changes, isDeleted, problem }: FileWork): boolean {
  return (changes > 0 || isDeleted || problem !== null) && !(isDeleted && isTemporary(path));
}

/** A file that was never changed, while one of the same name was afterwards: its path was wrong. */
function isMistaken({ path, changes, isDeleted, at }: FileWork, { files }: Account): boolean {
  const name = lastPart(path);
  return (
    changes === 0 &&
    !isDeleted &&
    files.some((other) => other.at > at && other.changes > 0 && lastPart(other.path) === name)
  );
}

function deed({ isCreated, isDeleted, changes }: FileWork): string {
  if (isDeleted) return isCreated ? 'created and deleted' : 'deleted';
  if (changes === 0) return 'could not change';
  const more = changes - Number(isCreated);
  const times = more > 1 ? ` ${more} times` : '';
  if (isCreated) return more === 0 ? 'created' : `created and changed${times}`;
  return `changed${times}`;
}

/** The files that were only read, the newest first, some in a line. */
export function readFiles(account: Account, section: SectionName): Candidate[] {
  const read = account.files.filter((file) => !isChanged(file) && file.reads > 0).reverse();
  return groupsOf(read, maxFiles)
    .slice(0, 3)
    .map((files, at) => {
      const excerpts = files.map(({ path, entryId }) => ({ text: shortPath(path, account), entryId }));
      return stated(section, `read: ${excerpts.map(({ text }) => text).join(' ')}`, excerpts, 0.6 / (1 + at));
    });
}

/** The last state of each check: whether it passes, and what failed before it did. */
export function checkStates(account: Account, section: SectionName): Candidate[] {
  const last = lastChangeAt(account);
  return account.commands
    .filter(({ isCheck }) => isCheck)
    .map((command) => {
      const age = command.at < last ? ', before the last changes' : '';
      const failed = command.problem !== null;
      const before = command.repaired === null ? '' : `; before that it failed: ${short(command.repaired)}`;
      const state = failed
        ? `${isUnavailable(command) ? 'could not be run' : 'failed at its last run'}${age}: ${short(command.problem ?? '')}`
        : `passed at its last run${age}${command.outcome === null ? '' : ` (${command.outcome})`}${before}`;
      const weight = (failed ? 2.5 : 1.2) + position(command.at, account);
      return stated(section, `\`${command.command}\` ${state}`, problemOf(command), weight);
    });
}

/** Checks that fail at the end, as open work. */
export function failingChecks(account: Account, section: SectionName): Candidate[] {
  return account.commands
    .filter((command) => command.isCheck && command.problem !== null && !isUnavailable(command))
    .map((command) => ({
      ...stated(
        section,
        `\`${command.command}\` failed at its last run: ${short(command.problem ?? '')}`,
        problemOf(command),
        3,
      ),
      ...(command.at >= lastChangeAt(account) ? { isLast: true as const } : {}),
    }));
}

function lastChangeAt({ steps }: Account): number {
  return steps.findLastIndex(({ kind, problem }) => kind === 'change' && problem === null);
}

function short(problem: string): string {
  return beginning(oneLine(problem), problemLength);
}

function problemOf({ problem, repaired, resultEntryId }: CommandWork): Excerpt[] {
  return problem === null || repaired !== null ? [] : [{ text: short(problem), entryId: resultEntryId }];
}

/** Commands that failed first and passed in the end. */
export function repairedCommands(account: Account, section: SectionName): Candidate[] {
  return account.commands
    .filter(({ repaired }) => repaired !== null)
    .map((command) =>
      stated(
        section,
        `\`${command.command}\` failed (${short(command.repaired ?? '')}) and passed in the end`,
        [],
        1.5 + position(command.at, account),
      ),
    );
}

/** Files of which a change failed first and succeeded in the end. */
export function repairedFiles(account: Account, section: SectionName): Candidate[] {
  return account.files
    .filter(({ repaired, problem }) => repaired !== null && problem === null && !ofTool.test(repaired))
    .map(({ path, repaired, at, entryId }) => {
      const name = shortPath(path, account);
      const line = `a change of \`${name}\` failed (${short(repaired ?? '')}) and succeeded in the end`;
      return stated(section, line, [{ text: name, entryId }], 1.5 + position(at, account));
    });
}

/** The agent's tool refused the call; this tells nothing about the file. */
const ofTool =
  /\bfile has (?:not been read|been (?:modified|changed))|\b(?:string|text|old_string|context|lines?)\b.{0,40}\bnot (?:found|unique)|\bfound \d+ matches|\btool_use_error\b|\bfailed to find\b/i;

/** Commands that failed and never passed, other than checks, which are open work. */
function commandsGivenUp(account: Account, section: SectionName): Candidate[] {
  return account.commands
    .filter(
      ({ isCheck, isLook, problem, at }) => !isCheck && !isLook && problem !== null && at < account.steps.length - 1,
    )
    .map((command) => {
      const times = command.failures > 1 ? `, ${command.failures} times` : '';
      const line = `tried \`${command.command}\`${times}; it never passed: ${short(command.problem ?? '')}`;
      return stated(section, line, problemOf(command), 0.8 + position(command.at, account));
    });
}

/** Ways that were given up, by the structure of the work. */
export function waysGivenUp(account: Account, section: SectionName): Candidate[] {
  const reversals = account.reversals.map((reversal) =>
    stated(section, reversalLine(reversal, account), [], 2 + position(reversal.at, account)),
  );
  return [...reversals, ...commandsGivenUp(account, section)];
}

function reversalLine({ file, kind, tried }: Reversal, account: Account): string {
  const path = shortPath(file, account);
  if (kind === 'file') return `tried with a new file \`${path}\`, and deleted it again`;
  if (kind === 'discard') return `threw away changes of \`${path}\` with git`;
  const text = beginning(oneLine(tried), 100);
  return `tried a change in \`${path}\` and put it back${text === '' ? '' : `: \`${text}\``}`;
}

/** Commits and pull requests that were made, and the branch that they are on. */
export function repositoryLines({ repository, steps }: Account, section: SectionName): Candidate[] {
  const { commits, pullRequests, branch } = repository;
  const whole = Math.max(1, steps.length);
  return [
    ...commits.map((commit) => commitLine(commit, unpushedUpTo(commit, commits), section, 1.5 + commit.at / whole)),
    ...pullRequests.map(({ text, entryId, at }) =>
      stated(section, `opened ${text}`, [{ text, entryId }], 2.5 + at / whole),
    ),
    ...(branch === null ? [] : [stated(section, `on branch \`${branch.text}\``, [branch], 3)]),
  ];
}

/** Files that were changed since the last commit that these entries show. Only where there is one: not all commit. */
export function uncommittedFiles(account: Account, section: SectionName): Candidate[] {
  const { lastCommit } = account.repository;
  if (lastCommit === null) return [];
  const changed = account.files.filter(
    ({ path, changedAt, isDeleted }) =>
      changedAt > lastCommit.at && !isDeleted && !isTemporary(path) && !ofAgent.test(path),
  );
  if (changed.length === 0) return [];
  const named = changed.slice(-maxUncommitted);
  const excerpts = named.map(({ path, entryId }) => ({ text: shortPath(path, account), entryId }));
  const more = changed.length > named.length ? ` and ${changed.length - named.length} more` : '';
  const line = `changed, and no commit seen since: ${excerpts.map(({ text }) => `\`${text}\``).join(' ')}${more}`;
  return [{ ...stated(section, line, excerpts, 2.5), isLast: true }];
}

const maxUncommitted = 6;

/** What an agent keeps for itself. */
const ofAgent = /[\\/]\.(?:claude|codex|gemini|pi|qwen|copilot)[\\/]/;

/** For the newest commit: how many were made since the last push. */
function unpushedUpTo(commit: CommitFact, commits: readonly CommitFact[]): number {
  return commit === commits.at(-1) ? commits.filter(({ isPushed }) => !isPushed).length : 0;
}

function commitLine(commit: CommitFact, unpushed: number, section: SectionName, weight: number): Candidate {
  const { text, hash, entryId } = commit;
  const named = hash === null ? 'committed' : `committed \`${hash}\``;
  const together = unpushed > 1 ? `, ${unpushed} commits in all` : '';
  const state = unpushed > 0 ? ` (no push seen since${together})` : '';
  return stated(section, `${named}: “${text}”${state}`, [{ text, entryId }], weight);
}

export function planDone({ plan }: Account, section: SectionName): Candidate[] {
  return plan
    .filter(({ state }) => state === 'done')
    .map(({ text, entryId }, at, all) => stated(section, `[x] ${text}`, [{ text, entryId }], 1 + at / all.length));
}

export function planUnderWay(account: Account, section: SectionName): Candidate[] {
  return planItems(account, 'in progress', section);
}

export function planPending(account: Account, section: SectionName): Candidate[] {
  return planItems(account, 'pending', section);
}

function planItems({ plan }: Account, wanted: 'in progress' | 'pending', section: SectionName): Candidate[] {
  const mark = wanted === 'pending' ? '[ ]' : '[in progress]';
  return plan
    .filter(({ state }) => state === wanted)
    .map(({ text, entryId }) => ({
      ...stated(section, `${mark} ${text}`, [{ text, entryId }], 3),
      isLast: true as const,
    }));
}

function position(at: number, { steps }: Account): number {
  return at / Math.max(1, steps.length);
}

export function groupsOf<T>(list: readonly T[], size: number): T[][] {
  const groups: T[][] = [];
  for (let at = 0; at < list.length; at += size) groups.push(list.slice(at, at + size));
  return groups;
}
