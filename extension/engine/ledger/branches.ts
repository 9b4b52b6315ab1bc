import { oncePerText } from '../conversation/once-per';
import { isAbsolute, type PlacedCommand, placedCommandsOf } from './placed-commands';
import { gitCommand } from './shell-acts';
import type { ToolStep } from './steps';

/** The branch that the project was on last, and the step that shows it. */
export interface BranchFact {
  readonly text: string;
  readonly at: number;
}

/** A command of git with the repository that it is about. */
interface GitRun {
  readonly command: string;
  readonly args: readonly string[];
  /** Empty: where the shell starts; null if the line does not say. */
  readonly folder: string | null;
}

/**
 * The branch that git named last in the project: the folder in which most commands of git ran. Null if none was named, or if a
 * later switch in another folder may have been one of the project.
 */
export function gitBranchOf(steps: readonly ToolStep[]): BranchFact | null {
  const runs = steps.map((step) =>
    step.result === null || step.isRunning || step.isShared || step.problem !== null ? [] : gitRunsIn(step),
  );
  const home = mostFrequent(runs.flat().flatMap(({ folder }) => (folder === null ? [] : [folder])));
  let fact: BranchFact | null = null;
  for (const [at, own] of runs.entries()) {
    const here = own.filter(({ folder }) => folder === home || folder === '');
    const output = steps[at]?.result?.text ?? '';
    const named = here.length === own.length ? branchNamed(here, output) : undefined;
    if (named !== undefined) fact = named === null ? null : { text: named, at };
    else if (!restored.test(output) && own.some((run) => isSwitch(run) && isBelow(run.folder, home))) fact = null;
  }
  return fact;
}

function gitRunsIn(step: ToolStep): GitRun[] {
  return placedCommandsOf(step.call).flatMap((command) => gitRunOf(command) ?? []);
}

function gitRunOf({ program, args, folder }: PlacedCommand): GitRun | null {
  if (program !== 'git') return null;
  const [command, rest, place] = gitCommand(args, folder);
  return { command, args: rest.map(({ text }) => text), folder: place };
}

function mostFrequent(folders: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const folder of folders) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  const [[most] = ['']] = [...counts].sort(([, one], [, other]) => other - one);
  return most;
}

/** `git checkout` of files. */
const restored = /^Updated \d+ paths? from /m;

/** A folder below the project may be a part of it, or a repository of its own. */
function isBelow(folder: string | null, home: string): boolean {
  return (
    folder === null ||
    folder === home ||
    (!isAbsolute(folder) && !folder.startsWith('..')) ||
    folder.startsWith(`${home}/`)
  );
}

function isSwitch({ command, args }: GitRun): boolean {
  return /^(?:checkout|switch)$/.test(command) && !args.includes('--');
}

/** How git prints the current branch or, in the last group, that there is none. */
const printed =
  /^(?:Switched to (?:a new |and reset )?branch '([^'\n]+)'|Already on '([^'\n]+)'|On branch (\S+)|## (\S+?)\.\.\.\S+.*|\[([^\s\]]+)(?: \(root-commit\))? [0-9a-f]{7,12}\] .*)$|^(HEAD is now at |HEAD detached |Note: switching to |\[detached HEAD )/gm;

const lastPrinted = oncePerText((output: string): string | null | undefined => {
  const last = [...output.matchAll(printed)].at(-1);
  if (last === undefined) return undefined;
  return last.slice(1, 6).find((name) => name !== undefined) ?? null;
});

/** The branch that these commands end on; null for none, undefined if nothing names it. */
function branchNamed(runs: readonly GitRun[], output: string): string | null | undefined {
  if (!runs.some(({ command }) => /^(?:checkout|switch|commit|status|branch)$/.test(command))) return undefined;
  const named = lastPrinted(output);
  if (named !== undefined) return named;
  const [only] = runs;
  if (runs.length === 1 && only?.command === 'branch' && only.args.includes('--show-current'))
    return /^\S+$/.test(output.trim()) ? output.trim() : undefined;
  return runs.map(createdBy).findLast((name) => name !== undefined);
}

/** The branch that a command creates and switches to. */
function createdBy({ command, args }: GitRun): string | undefined {
  const option = args.findIndex((text) =>
    command === 'checkout' ? /^-[bB]$/.test(text) : command === 'switch' && /^(?:-[cC]|--create)$/.test(text),
  );
  const name = option < 0 ? undefined : args[option + 1];
  return name !== undefined && /^[\w./-]+$/.test(name) ? name : undefined;
}
