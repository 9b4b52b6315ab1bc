import type { Part } from '../../engine/conversation/entry';

/** The parts of one message in the user role, by who wrote them, in their order. */
export interface SaidParts {
  /** What the agent put in front of a prompt. */
  readonly before: readonly Part[];
  readonly person: readonly Part[];
  /** What the agent put behind it: files that the prompt mentions, output of hooks. */
  readonly after: readonly Part[];
}

const inFront = /^\s*<(system-reminder|session_context|hook_context)>[\s\S]*<\/\1>\s*$/;
const behind = /^\s*(?:--- Content from referenced files ---|<(?:qwen:user-prompt-submit-context|hook_context)>)/;

/** The agents of the Gemini family put their own text into parts of their own around those of the person. */
export function saidParts(parts: readonly Part[]): SaidParts {
  const start = indexOf(parts, (part) => !matches(part, inFront));
  const end = indexOf(parts, (part, index) => index >= start && matches(part, behind));
  return { before: parts.slice(0, start), person: parts.slice(start, end), after: parts.slice(end) };
}

/** The length of the list where there is none. */
function indexOf(parts: readonly Part[], fits: (part: Part, index: number) => boolean): number {
  const index = parts.findIndex(fits);
  return index < 0 ? parts.length : index;
}

function matches(part: Part, pattern: RegExp): boolean {
  return part.type === 'text' && pattern.test(part.text);
}
