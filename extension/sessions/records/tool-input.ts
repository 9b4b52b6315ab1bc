import type { Part } from '../../engine/conversation/entry';
import { localizable } from '../../engine/wording/localizable-text';
import type { IssueAtLine } from './issues';

/** Maximum nesting of objects and lists. Far more than tools use, and safe for recursion. */
const deepestInput = 500;

const tooDeepText = `[The input of this call is nested more than ${deepestInput} levels deep and is not shown.]`;

const tooDeepMessage = localizable(
  'The input of a tool call is nested more than {0} levels deep; a text replaces it',
  deepestInput,
);

/**
 * The arguments of a recorded tool call, or a note that they are nested too deeply. Parsing accepts any depth, but
 * serializing needs a stack frame per level and would fail.
 */
export function shownInput(input: unknown): unknown {
  return isDeeperThan(deepestInput, input) ? tooDeepText : input;
}

/** One for each call whose input was replaced. */
export function tooDeepIssues(parts: readonly Part[], line: number): IssueAtLine[] {
  return parts
    .filter((part) => part.type === 'tool_call' && part.input === tooDeepText)
    .map(() => ({ line, message: tooDeepMessage }));
}

/** Recurses at most `levels` deep, whatever the depth of the value. */
function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((item) => isDeeperThan(levels - 1, item));
}
