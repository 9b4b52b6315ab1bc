import type { Part } from '../../engine/conversation/entry';
import { referencedFiles } from '../injected/whole-texts';

/** The parts of a user message, in order, split by author. */
export interface UserParts {
  /** Added by the agent before the prompt. */
  readonly before: readonly Part[];
  /** Written by the person. */
  readonly person: readonly Part[];
  /** Added by the agent after the prompt: files that it mentions, output of hooks. */
  readonly after: readonly Part[];
}

const sessionContext = /^\s*<session_context>[\s\S]*<\/session_context>\s*$/;
const addedBefore = /^\s*<(system-reminder|session_context)>[\s\S]*<\/\1>\s*$/;
/** A part that begins with hook output and continues with a prompt belongs to the person. */
const addedAfter = new RegExp(
  `^\\s*(?:${referencedFiles}|<qwen:user-prompt-submit-context>|<hook_context>[\\s\\S]*<\\/hook_context>\\s*$)`,
);

/** Agents of the Gemini family add their own text as separate parts around the person's parts. */
export function splitUserParts(parts: readonly Part[]): UserParts {
  const start = indexOf(parts, (part) => !matches(part, addedBefore));
  const end = indexOf(parts, (part, index) => index >= start && matches(part, addedAfter));
  return { before: parts.slice(0, start), person: parts.slice(start, end), after: parts.slice(end) };
}

/** Like `splitUserParts`, for a message that a person sent: at least one part is theirs, whatever its form. */
export function splitPromptParts(parts: readonly Part[]): UserParts {
  const { before, person, after } = splitUserParts(parts);
  if (person.length > 0) return { before, person, after };
  const last = before.at(-1);
  return last === undefined || matches(last, sessionContext)
    ? { before, person: after.slice(0, 1), after: after.slice(1) }
    : { before: before.slice(0, -1), person: [last], after };
}

/** The length of the list if no part fits. */
function indexOf(parts: readonly Part[], fits: (part: Part, index: number) => boolean): number {
  const index = parts.findIndex(fits);
  return index < 0 ? parts.length : index;
}

function matches(part: Part, pattern: RegExp): boolean {
  return part.type === 'text' && pattern.test(part.text);
}
