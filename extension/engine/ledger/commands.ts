import type { ToolCallPart } from '../conversation/entry';
import { brief, oneLine } from '../conversation/text';
import { subjectOf } from '../conversation/tool-subject';
import { problemLine } from './problems';
import { commandLineOf, type ToolStep } from './steps';
import { countsPasses, endOfOutput } from './test-counts';

/** A command line that was run one or more times, and its last outcome. */
export interface CommandWork {
  /** The main command of its last run, without folders, filters and redirections. */
  readonly command: string;
  /** Tests, type checks, style checks or a build. */
  readonly isCheck: boolean;
  /** It only prints something, so its failure is not a dead end. */
  readonly isLook: boolean;
  readonly runs: number;
  readonly failures: number;
  /** Why the last run failed; null if it passed. */
  readonly problem: string | null;
  /** The last run's own report if it passed, such as the number of tests; null if there is none. */
  readonly outcome: string | null;
  /** Why the last failed run failed, if a later one passed; otherwise null. */
  readonly repaired: string | null;
  readonly entryId: string;
  /** Index of the last step that ran it. */
  readonly at: number;
}

const commandLength = 90;

/** The commands of these steps that ended, in the order of their last runs. Runs of one main command are one. */
export function workByCommand(steps: readonly ToolStep[]): CommandWork[] {
  const commands = new Map<string, CommandWork>();
  for (const [at, step] of steps.entries()) {
    if (step.kind !== 'run' || step.result === null || step.isRunning || isUnrun(step) || isUnclear(step)) continue;
    const command = commandIn(step);
    if (command === null) continue;
    const key = headOf(command);
    const before = commands.get(key);
    const problem = step.problem ?? (isCheck(command) && !step.isShared ? nothingChecked(step.result.text) : null);
    const isFailed = problem !== null;
    // A command that was called incorrectly says nothing about the work.
    if (before && isFailed && isUnavailable({ problem })) continue;
    commands.delete(key);
    commands.set(key, {
      command: brief(command, commandLength),
      isCheck: isCheck(command),
      isLook: isLookup(command),
      runs: (before?.runs ?? 0) + 1,
      failures: (before?.failures ?? 0) + Number(isFailed),
      problem,
      outcome: isFailed || step.isShared ? null : countLine(step.result.text),
      repaired: isFailed || before === undefined || isUnavailable(before) ? null : (before.problem ?? before.repaired),
      entryId: step.entryIds[0] ?? '',
      at,
    });
  }
  const all = [...commands.values()];
  return all.filter(
    (command) => command.problem === null || !all.some((other) => isOutrun(command, other) || isMerged(command, other)),
  );
}

/** Whether a tool takes a command line. */
export function isShell({ name }: ToolCallPart): boolean {
  return shell.test(name);
}

/** The command that a step runs in a shell, without folders, filters and redirections; null if it runs none. */
export function commandIn({ call }: ToolStep): string | null {
  if (!isShell(call)) return null;
  const command = mainCommand(commandLineOf(call) ?? subjectOf(call));
  return command === '' || command.startsWith('-') ? null : command;
}

/** Equal for runs of one main command. */
export function keyOfCommand(line: string): string {
  return headOf(mainCommand(line));
}

/** The program does not exist, or was called with arguments that it does not know. This says nothing about the work. */
function isUnavailable({ problem }: Pick<CommandWork, 'problem'>): boolean {
  return problem !== null && (unavailable.test(problem) || noChecks.test(problem));
}

const unavailable =
  /\bcommand not found\b|\bunrecognized (?:sub)?command\b|\bis not recognized as\b|\bunknown (?:option|flag|argument|command)\b|\bunrecognized (?:option|argument)s?\b|\bflag provided but not defined\b|\bmissing script\b|^sed: can['’]t read\b/i;
const noChecks =
  /\bno tests? (?:files? )?(?:found|ran|collected|to run|matched)\b|\bno test files\b|\bcollected 0 items\b/i;

/** Go reports each package; in some packages, none of the requested tests may exist. */
const packagePassed = /^(?:ok\s+\S+\s+[\d.(]|--- PASS|PASS$)/m;

/** A runner that found no test has passed nothing, whatever its exit status. */
function nothingChecked(text: string): string | null {
  if (countLine(text) !== null || packagePassed.test(text.replace(/^.*\bno tests to run\b.*$/gm, ''))) return null;
  const found = endOfOutput(text)
    .split('\n')
    .find((line) => noChecks.test(line));
  return found === undefined ? null : brief(oneLine(found), commandLength);
}

/** If one of several calls fails, Claude Code does not run the others. */
function isUnrun({ problem }: ToolStep): boolean {
  return problem !== null && /\bsibling tool call\b|\bcancelled: parallel\b/i.test(problem);
}

/** One of several commands failed, and the output does not say which. */
function isUnclear({ isShared, result }: ToolStep): boolean {
  return isShared && result !== null && (result.isError || problemLine(result.text) !== undefined);
}

/** If a commit followed, the conflicts were solved by hand. */
function isMerged({ command, problem, at }: CommandWork, other: CommandWork): boolean {
  const conflicts = /^git\b/.test(command) && /\bconflicts?\b/i.test(problem ?? '');
  return (
    conflicts && other.at > at && other.problem === null && /^git\b.*\b(?:commit|--continue)\b/.test(other.command)
  );
}

/** A later run of the whole passed: `go test ./...` after `go test ./color -run Fades`, `bun lint` after `bun lint:fix`. */
function isOutrun({ command, at }: CommandWork, other: CommandWork): boolean {
  if (other.problem !== null || other.at <= at || !other.isCheck || /["'=]/.test(other.command)) return false;
  const whole = other.command.split(' ').filter((word) => !word.startsWith('-') && !/^\.(?:\/\.\.\.)?$/.test(word));
  const words = new Set(command.split(/[ :]/));
  return (
    whole.length > 1 &&
    whole
      .join(' ')
      .split(/[ :]/)
      .every((word) => words.has(word))
  );
}

/** The last line with a count of what passed. */
function countLine(text: string): string | null {
  const lines = endOfOutput(text).split('\n');
  const found = lines.findLast((line) => countsPasses(line) && line.length < 200)?.replace(/^[=\s-]+|[=\s-]+$/g, '');
  if (found === undefined) return null;
  const [counts] = found.length <= countLength ? [found] : (countsIn.exec(found) ?? [found]);
  return brief(counts, countLength);
}

const countLength = 80;

/** From the first count of a line to its last one. */
const countsIn = /\b\d+ [a-z]+(?:\b.*\b\d+ (?:[a-z]+ out|[a-z]+))?/i;

const check =
  /\b(?:test|tests|vitest|jest|pytest|mocha|playwright|cypress|tsc|typecheck|type-check|lint|eslint|biome|prettier|ruff|mypy|clippy|check|build|compile|make|verify)\b/i;

/** The words before options and quoted arguments name what a command does. */
export function isCheck(command: string): boolean {
  const words =
    command
      .split(/["'{]/)[0]
      ?.split(' ')
      .filter((word) => !word.startsWith('-')) ?? [];
  return (
    !/^(?:curl|wget|grep|rg|cat|echo|git|gh|ls|find|ssh|psql|kill|pkill|docker|rm|mv|cp|node|python\d?|test|\[|sed|awk|head|tail|for|while|if)$/.test(
      words[0] ?? '',
    ) && check.test(words.slice(0, 4).join(' '))
  );
}

const looks =
  /^(?:cat|ls|find|nc|ping|telnet|dig|nslookup|grep|rg|sed|awk|head|tail|test|\[|stat|file|which|wc|tree|ps|lsof|du|df|diff|jq|env|printenv|(?:npm|pnpm|yarn|bun)(?: pm)? (?:ls|list|view|why)|git (?:status|log|diff|show|branch|ls-\w+|rev-parse|remote|config|grep|blame)|gh (?:pr|issue|run|api|repo) ?(?:view|list|status|checks|diff)?)\b/;

/** Whether a command only prints what is there. */
export function isLookup(command: string): boolean {
  return looks.test(command);
}

/** Tools that take a command line, by the names that agents give them. */
const shell = /bash|shell|exec|terminal|command|^run$/i;

/** Precede the command that matters: folders, variables, time limits. */
const around =
  /^(?:(?:cd|pushd|export|source|set|mkdir|echo|sleep|true|which|unset|nvm|pwd|ls)\b.*|\.\s.*|#.*|[A-Za-z_]\w*=\S*)$/;
const prefix = /^(?:(?:[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|\S*)|sudo|time|timeout\s+\S+|nohup|env|command|exec)\s+)+/;

/** A quoted text is an argument, whatever is in it. */
const longText = /"(?:[^"\\]|\\.){24,}"|'[^']{24,}'/g;

/** A command with a fallback: its result shows neither which of the two ran nor how it ended. */
const withFallback = /\|\|/;

/** The part of a command line that does the work. */
function mainCommand(line: string): string {
  const plain = (line.split(/<<-?\s*['"]?\w/)[0] ?? '')
    .replace(longText, '"…"')
    .replace(/\\\n\s*/g, ' ')
    .replace(/^[ \t]*#.*$/gm, '')
    .split('\n')
    .map(oneLine)
    .join(' ; ');
  const parts = plain
    .split(/\s*(?:&&|;)\s*/)
    .filter((part) => !withFallback.test(part))
    .map((part) => (part.split(/\s+\|\s+/)[0] ?? '').replace(/\s*\d?>{1,2}\s*(?:&\d|\S+)/g, '').trim())
    .map((part) => part.replace(/^\\\s*/, '').replace(prefix, ''))
    .filter((part) => part !== '' && !around.test(part));
  return parts.find(isCheck) ?? parts.at(-1) ?? '';
}

/** Options that make a different command: checking and changing differ. */
const telling = /^--?(?:check|write|fix|list|dry-run|apply)\b/;

/** Identifies runs of the same command: its first words, without other options and files. */
function headOf(command: string): string {
  const words = command.split(' ').filter((word) => !word.startsWith('-') || telling.test(word));
  const isRunner =
    /^(?:npm|pnpm|yarn|npx|bun|bunx|cargo|go|git|gh|docker|uv|poetry|python\d?|node|make|deno|mise|just|task|rake|turbo|nx|flutter|dart|dotnet|swift|mvn|gradle|\.\/gradlew|bundle|rails|php|composer|terraform|kubectl|helm)$/.test(
      words[0] ?? '',
    );
  const filter = /(?:--filter|-F|--workspace|-w|-C|--project|--dir)[= ](\S+)/.exec(command)?.[1] ?? '';
  const own = words.filter((word) => word !== filter).slice(0, isRunner ? 3 : 1);
  // The same program by another path.
  own.splice(0, 1, own[0]?.replace(/^.*\//, '') ?? '');
  return [...own, ...words.filter((word) => telling.test(word) && !own.includes(word)), filter].join(' ');
}
