import { type CommandWork, workByCommand } from '../../engine/ledger/commands';
import { type CommitFact, repositoryWork } from '../../engine/ledger/repository';
import type { ToolStep } from '../../engine/ledger/steps';
import type { Room } from './room';

/** Commands that are not checks are listed only if they fail, and only the newest of them. */
const mostOthers = 3;

/** Commits and checks with their last outcome, and other commands that fail, in the order of their last runs. */
export function commandsPart(steps: readonly ToolStep[], room: Room): string[] {
  const heading = '## Commands';
  const { commits, branch, links } = repositoryWork(steps);
  const commands = workByCommand(steps).filter(({ isLook, command }) => !isLook && !/^(?:git|gh)\b/.test(command));
  const checks = commands.filter(({ isCheck }) => isCheck);
  const others = commands.filter(({ isCheck, problem }) => !isCheck && problem !== null).slice(-mostOthers);
  const newestFirst = [
    ...(branch === null ? [] : [{ at: branch.at, line: `- On branch ${branch.text}` }]),
    ...links.map(({ text, at }) => ({ at, line: `- ${text}` })),
    ...commits.map((commit) => ({ at: commit.at, line: commitLine(commit) })),
    ...checks.map((command) => ({ at: command.at, line: commandLine(command) })),
    ...others.map((command) => ({ at: command.at, line: commandLine(command) })),
  ].sort((one, other) => other.at - one.at);
  if (newestFirst.length === 0 || !room.take([heading])) return [];
  const taken: string[] = [];
  for (const { line } of newestFirst) {
    if (!room.take([line])) break;
    taken.unshift(line);
  }
  return taken.length === 0 ? [] : [heading, ...taken];
}

function commitLine({ text, hash, isPushed }: CommitFact): string {
  return `- Committed${hash === null ? '' : ` ${hash}`}: ${text}${isPushed ? ' (pushed)' : ''}`;
}

function commandLine({ command, problem, outcome, repaired, runs, failures }: CommandWork): string {
  const times = runs > 1 ? ` (run ${runs} times, ${failures} failed)` : '';
  if (problem !== null) return `- \`${command}\`${times} failed: ${problem}`;
  const before = repaired === null ? '' : `; before that it failed: ${repaired}`;
  return `- \`${command}\`${times} passed${outcome === null ? '' : `: ${outcome}`}${before}`;
}
