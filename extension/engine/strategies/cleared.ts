import { callToRecall } from '../block/omission';
import { excessTokens, type PlanInput, roomForOutput } from '../block/plan';
import type { Strategy } from '../block/strategy';
import { referenceOf } from '../conversation/reference';
import { untouchableFrom } from '../conversation/steps';
import { brief } from '../conversation/text';
import { lastPart } from '../ledger/files';
import { errorLines, problemLine } from '../ledger/problems';
import { readingsOf } from '../ledger/readings';
import { commandLineOf, filesOf, stringArgument } from '../ledger/steps';
import { type AnsweredCall, answeredCalls } from '../memory/answered-calls';
import { counted, type SentenceOf } from '../wording/counts';
import { localizable } from '../wording/localizable-text';
import { freed, isReplaceable, nameOf, planOfReplacements, type Replacement, writeReplacements } from './result-texts';

const defaults: {
  keepTokens: number;
  keepToolUses: number;
  clearAtLeast: number;
  excludeTools: readonly string[];
} = {
  /** Counted tokens of the newest tool output that stay. */
  keepTokens: 20000,
  /** The newest tool uses whose output stays whatever its size. */
  keepToolUses: 3,
  /** Counted tokens below which nothing is cleared: the provider has to read the rest of the prompt again. */
  clearAtLeast: 5000,
  /** Names of tools whose output is never cleared. */
  excludeTools: [],
};

type ClearedParameters = typeof defaults;

/** docs/specification/strategies.md, "Cleared". */
export const clearedStrategy: Strategy<ClearedParameters> = {
  name: 'cleared',
  title: localizable('Cleared output'),
  description: localizable(
    'Replaces old tool output by one line: what it was, how it ended, how to get it back. The newest output stays.',
  ),
  defaults,
  keepingNothing: { keepTokens: 0, keepToolUses: 0, clearAtLeast: 0 },
  untouchedFrom: ({ messages }) => untouchableFrom(messages),
  plan(order, parameters) {
    const input = { ...order, room: roomForOutput(order.room) };
    const calls = answeredCalls(input.messages).filter(({ call }) => !parameters.excludeTools.includes(call.name));
    const all = calls.filter(isReplaceable);
    if (all.length === 0) return { kind: 'nothing-to-compact' };
    const same = callsThatGiveTheSame(answeredCalls(input.messages));
    const candidates = olderThan(calls, parameters, input)
      .filter(isReplaceable)
      .map((answered) => replacementOf(answered, same.has(answered.message.key), input.recallTool));
    const replacements = candidates.filter((one) => freed(one) > 0);
    if (replacements.length === 0) return { kind: 'protected' };
    const chosen = enough(replacements, excessTokens(input));
    const tokens = chosen.reduce((total, one) => total + freed(one), 0);
    if (tokens < leastWorthwhile(order, parameters)) {
      return {
        kind: 'not-triggered',
        reason: localizable(
          '{0} tokens of tool output could go; below {1} that is not worth a new prompt cache.',
          tokens,
          parameters.clearAtLeast,
        ),
      };
    }
    if (input.rejected.has(chosen[0]?.answered.message.key ?? '')) return { kind: 'too-small' };
    return { kind: 'planned', plans: [planOfReplacements('cleared', parameters, chosen, old)] };
  },
  write: writeReplacements,
  withoutModel: true,
};

/** The target of the run is reached by less, too. */
function leastWorthwhile(order: PlanInput, { clearAtLeast }: ClearedParameters): number {
  const excess = excessTokens(order);
  return excess > 0 ? Math.min(clearAtLeast, excess) : clearAtLeast;
}

const old: SentenceOf = (counted) => localizable('{0} that are old.', counted);

/** The calls before the newest ones that stay, by number and by tokens. */
function olderThan(
  calls: readonly AnsweredCall[],
  { keepToolUses, keepTokens }: ClearedParameters,
  { room }: PlanInput,
): AnsweredCall[] {
  let left = Math.min(keepTokens, room?.keepRecentTokens ?? keepTokens);
  let first = calls.length;
  for (const { message } of calls.toReversed()) {
    left -= message.tokens;
    if (left < 0) break;
    first -= 1;
  }
  return calls.slice(0, Math.max(0, Math.min(first, calls.length - keepToolUses)));
}

/** The oldest replacements that together free this many tokens. */
function enough(replacements: readonly Replacement[], tokens: number): Replacement[] {
  let left = tokens;
  return replacements.filter((one) => {
    const isNeeded = left > 0;
    left -= freed(one);
    return isNeeded;
  });
}

function replacementOf(answered: AnsweredCall, givesTheSame: boolean, recallTool: string | undefined): Replacement {
  const how = givesTheSame
    ? 'It was not edited here since; the same call gives it again.'
    : recallTool === undefined
      ? 'Call it again if its output is needed.'
      : callToRecall(recallTool, referenceOf(answered.message));
  return { answered, text: `[CLEARED] ${nameOf(answered)}: ${ending(answered)}. ${how}` };
}

const longestReason = 100;

/** How a call ended: its failure verbatim, or the length of its output. */
function ending({ result, kind }: AnsweredCall): string {
  const problem = result.isError
    ? errorLines(result.text, true)[0]
    : kind === 'run'
      ? problemLine(result.text)
      : undefined;
  const size = counted(result.text.split('\n').length, 'line');
  if (problem === undefined) return size;
  return `${result.isError ? 'failed' : 'reported'} "${brief(problem, longestReason)}", ${size}`;
}

/**
 * The calls that would return the same output again, by the keys of their results: calls that read files which no later call may have
 * changed. A call may have changed the files that it edits or that its command names. A subagent, and a command that rewrites files
 * without naming them, may have changed any file.
 */
function callsThatGiveTheSame(calls: readonly AnsweredCall[]): ReadonlySet<string> {
  const mayBeChanged = new Set<string>();
  const same = new Set<string>();
  for (const answered of calls.toReversed()) {
    if (mayChangeAny(answered)) break;
    const read = filesReadBy(answered);
    if (read.length === 0) for (const name of filesTouchedBy(answered)) mayBeChanged.add(name);
    else if (read.every((name) => !mayBeChanged.has(name))) same.add(answered.message.key);
  }
  return same;
}

/** Tools that have another agent do a part of the work. */
const delegating = /^(?:task|new_task|(?:sub|spawn_?|use_?sub)?agents?|delegate\w*)$/i;

/** Kinds of subagents of Claude Code that only read. */
const onlyReads = /^(?:explore|plan)$/i;

/** Commands that rewrite files which they need not name. */
const rewriting =
  /\bgit\s+(?:-C\s+\S+\s+|-\S+\s+)*(?:pull|checkout|switch|merge|rebase|stash|reset|restore|revert|apply|am|cherry-pick)\b|\s--(?:write|fix)\b|\b(?:prettier|sed|perl)\b.*\s-\w*[iw]\w*\b|\b(?:gofmt|goimports)\s.*-w\b|\b(?:cargo|dart|swift|terraform|mix)\s(?:fmt|format)\b|\b(?:go fmt|ruff format|black|isort|codemod|jscodeshift|patch)\b/;

function mayChangeAny({ call }: AnsweredCall): boolean {
  if (delegating.test(call.name)) return !onlyReads.test(stringArgument(call.input, 'subagent_type') ?? '');
  return rewriting.test(commandLineOf(call) ?? '');
}

function filesReadBy({ call, kind, result }: AnsweredCall): string[] {
  const problem = result.isError ? result.text : null;
  return readingsOf({ kind, call, problem }).map(({ path }) => lastPart(path));
}

function filesTouchedBy({ call, kind }: AnsweredCall): string[] {
  const words = (commandLineOf(call) ?? '').split(/[\s'"`;|&=<>(){}]+/);
  return [...words, ...(kind === 'change' ? filesOf(call) : [])].map(lastPart);
}
