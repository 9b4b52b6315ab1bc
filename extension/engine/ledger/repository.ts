import { brief } from '../conversation/text';
import { type BranchFact, gitBranchOf } from './branches';
import { commandLineOf, type ToolStep } from './steps';

const committing = /\bgit\s+(?:-\S+\s+\S+\s+)*commit\b/;

const pushing = /\bgit\s+(?:-\S+\s+\S+\s+)*push\b|\bgh\s+pr\s+create\b/;

/** The changes that these steps made to the repository. */
interface RepositoryWork {
  /** The first lines of their messages. */
  readonly commits: readonly CommitFact[];
  /** The branch that the project was on last; null if it is not known. */
  readonly branch: BranchFact | null;
  /** Acts on pull requests and issues, in order: the command, and the address or number. */
  readonly links: readonly RepositoryFact[];
}

interface RepositoryFact {
  readonly text: string;
  readonly at: number;
}

export interface CommitFact extends RepositoryFact {
  /** Abbreviated, as git printed it; null if git did not print it. */
  readonly hash: string | null;
  /** A push succeeded together with it or later. */
  readonly isPushed: boolean;
}

/** From the commands of git and gh that succeeded. */
export function repositoryWork(steps: readonly ToolStep[]): RepositoryWork {
  const commits = unrewritten(
    factsIn(steps, messageOf),
    factsIn(steps, (line) => rewriting.exec(line)?.[0]),
  );
  const pushed = factsIn(steps, (line) => pushing.exec(line)?.[0]).at(-1)?.at ?? -1;
  return {
    commits: commits.map((commit) => ({ ...commit, hash: hashIn(steps[commit.at]), isPushed: commit.at <= pushed })),
    branch: gitBranchOf(steps),
    links: factsIn(steps, linkOf),
  };
}

/** A commit that was amended, reset or rebased later may no longer exist in its original form. */
function unrewritten(made: readonly RepositoryFact[], rewrites: readonly RepositoryFact[]): RepositoryFact[] {
  const last = rewrites.at(-1)?.at ?? -1;
  return made.filter(({ at }) => at >= last);
}

const rewriting =
  /\bgit\s+(?:-\S+\s+\S+\s+)*(?:commit\b[^\n;&|]*--amend|reset\b(?!\s+(?:HEAD\s+)?--?\s)[^\n;&|]*(?:--soft|--hard|--mixed|HEAD[~^]|[0-9a-f]{7,})|rebase\b)/;

function factsIn(
  steps: readonly ToolStep[],
  textIn: (line: string, output: string) => string | undefined,
): RepositoryFact[] {
  return steps.flatMap((step, at) => {
    const line = commandLineOf(step.call) ?? '';
    if (step.result === null || step.isRunning || step.problem !== null || !/\b(?:git|gh)\b/.test(line)) return [];
    const text = textIn(line, step.result.text)?.trim();
    return text === undefined || text === '' ? [] : [{ text, at }];
  });
}

const messageText =
  /(?:-[a-z]*m|--message)[= ]?\s*(?:"\$\(cat <<-?\s*['"]?\w+['"]?\s*\n?([\s\S]+?)(?:\n|$)|"((?:[^"\\]|\\.)+)"|'([^']+)')/;
const messageLength = 100;

function messageOf(line: string): string | undefined {
  const at = line.search(committing);
  if (at < 0) return undefined;
  const [, heredoc, double, single] = messageText.exec(line.slice(at)) ?? [];
  const [message] = (heredoc ?? double ?? single ?? '').trim().split('\n');
  return brief(message ?? '', messageLength);
}

/** Git prints `[branch 1a2b3c4] message`. */
function hashIn(step: ToolStep | undefined): string | null {
  return /^\[[^\]]*?\b([0-9a-f]{7,12})\] /m.exec(step?.result?.text ?? '')?.[1] ?? null;
}

const acting = /\bgh\s+(pr|issue|release)\s+(create|comment|merge|close|reopen|edit|review|ready)\b(?:\s+#?(\d+))?/;

/** `gh pr create` prints the address; other commands name the number. */
function linkOf(line: string, output: string): string | undefined {
  const [, kind, act, number] = acting.exec(line) ?? [];
  if (kind === undefined) return undefined;
  const address = /https:\/\/\S+\/(?:pull|issues|releases)\/\S+/.exec(output)?.[0];
  const named = address ?? (number === undefined ? undefined : `#${number}`);
  return named === undefined ? undefined : `gh ${kind} ${act}: ${named}`;
}
