import type { Part } from '../../engine/conversation/entry';

/** The parts of one message in the user role, by who wrote them, in their order. */
export interface SaidParts {
  /** What the agent put in front of a prompt. */
  readonly before: readonly Part[];
  readonly person: readonly Part[];
  /** What the agent put behind it: files that the prompt mentions, output of hooks. */
  readonly after: readonly Part[];
}

const sessionContext = /^\s*<session_context>[\s\S]*<\/session_context>\s*$/;
const inFront = /^\s*<(system-reminder|session_context)>[\s\S]*<\/\1>\s*$/;
/** Output of hooks may also stand before a prompt in the same part, which then is the person's. */
const behind =
  /^\s*(?:--- Content from referenced files ---|<qwen:user-prompt-submit-context>|<hook_context>[\s\S]*<\/hook_context>\s*$)/;

/** The agents of the Gemini family put their own text into parts of their own around those of the person. */
export function saidParts(parts: readonly Part[]): SaidParts {
  const start = indexOf(parts, (part) => !matches(part, inFront));
  const end = indexOf(parts, (part, index) => index >= start && matches(part, behind));
  return { before: parts.slice(0, start), person: parts.slice(start, end), after: parts.slice(end) };
}

/** As `saidParts`, for a message that a person sent: one of its parts is theirs, whatever it looks like. */
export function promptParts(parts: readonly Part[]): SaidParts {
  const { before, person, after } = saidParts(parts);
  if (person.length > 0) return { before, person, after };
  const last = before.at(-1);
  if (last === undefined) return { before, person: after.slice(0, 1), after: after.slice(1) };
  return matches(last, sessionContext)
    ? { before, person: after.slice(0, 1), after: after.slice(1) }
    : { before: before.slice(0, -1), person: [last], after };
}

/** The length of the list where there is none. */
function indexOf(parts: readonly Part[], fits: (part: Part, index: number) => boolean): number {
  const index = parts.findIndex(fits);
  return index < 0 ? parts.length : index;
}

function matches(part: Part, pattern: RegExp): boolean {
  return part.type === 'text' && pattern.test(part.text);
}
