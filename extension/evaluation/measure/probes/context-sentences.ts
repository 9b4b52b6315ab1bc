import type { ContextMessage } from '../../../engine/conversation/context';
import { textOf } from '../../../engine/conversation/entry';
import { coreFrame } from '../../../engine/core/core';

/** A sentence of a context, as it stands there. */
export interface ContextSentence {
  readonly text: string;
  /** The nearest heading above it in its message, in lower case; empty where there is none. */
  readonly heading: string;
  readonly kind: ContextMessage['kind'];
  /** Of the message that it stands in. */
  readonly message: string;
}

/** What somebody said, oldest first: not what tools were called with and returned, and not the system prompt. */
export function sentencesIn(context: readonly ContextMessage[]): ContextSentence[] {
  return context.filter(({ kind }) => kind !== 'tool_result' && kind !== 'system').flatMap(sentencesOfMessage);
}

function sentencesOfMessage({ key: message, kind, parts }: ContextMessage): ContextSentence[] {
  let heading = '';
  return textOf(parts)
    .split('\n')
    .flatMap((line) => {
      const title = /^#{1,6}\s+(.*)$/.exec(line)?.[1];
      if (title !== undefined) heading = title.trim().toLowerCase();
      if (title !== undefined || coreLines.has(line)) return [];
      return splitLine(line).map((text) => ({ text, heading, kind, message }));
    });
}

/** How a core introduces itself, which is nothing that anybody said. */
const coreLines: ReadonlySet<string> = new Set(coreFrame);

const mark = /^\s*(?:[-*+•>]\s+|\d+[.)]\s+)*/;
const end = /(?<=[.!?])["')\]]*\s+(?=["'(`[]?[\p{Lu}\p{N}])/u;

/** A shorter piece says nothing. In UTF-16 units. */
const shortest = 8;

function splitLine(line: string): string[] {
  return line
    .replace(mark, '')
    .split(end)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length >= shortest && !/^\[[A-Z ]+\]$/.test(sentence));
}
