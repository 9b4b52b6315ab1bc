import type { ContextMessage } from '../../../engine/conversation/context';
import { textOf } from '../../../engine/conversation/entry';
import { coreFrame } from '../../../engine/core/core';

/** A sentence of a context, verbatim. */
export interface ContextSentence {
  readonly text: string;
  /** The nearest heading above it in its message, in lower case; empty if there is none. */
  readonly heading: string;
  readonly kind: ContextMessage['kind'];
  /** The speaker that its line names; null if the line names none. */
  readonly speaker: 'person' | null;
  /** Key of its message. */
  readonly message: string;
  /** Ordinal of its line in the message. */
  readonly line: number;
}

/** Sentences of all messages but tool results and the system prompt, oldest first. */
export function sentencesIn(context: readonly ContextMessage[]): ContextSentence[] {
  return context.filter(({ kind }) => kind !== 'tool_result' && kind !== 'system').flatMap(sentencesOfMessage);
}

function sentencesOfMessage({ key: message, kind, parts }: ContextMessage): ContextSentence[] {
  let heading = '';
  return textOf(parts)
    .split('\n')
    .flatMap((line, at) => {
      const title = /^#{1,6}\s+(.*)$/.exec(line)?.[1];
      if (title !== undefined) heading = title.trim().toLowerCase();
      if (title !== undefined || coreLines.has(line)) return [];
      const quoted = personLine.exec(line)?.[1];
      const speaker = quoted === undefined ? null : 'person';
      return splitLine(quoted ?? line).map((text) => ({ text, heading, kind, speaker, message, line: at }));
    });
}

/** The fixed lines around a core; they are not part of the conversation. */
const coreLines: ReadonlySet<string> = new Set(coreFrame);

/** A line that gives its words as the person's, as summaries do. */
const personLine = /^\s*(?:[-*+•>]\s+)?(?:the )?(?:person|user|human)(?: [^:“"]{0,40})?:\s*["“]?(.+?)["”]?$/i;

/** The beginning of a line before its words: list marks, ids of memories. */
const mark =
  /^\s*(?:(?:[-*+•>]|->|→)\s+(?:then\s+)?|\d+[.)]\s+)*(?:[nos]-[0-9a-f]{8}(?: \d{4}-\d\d-\d\d \d\d:\d\d)?:\s+)?/;
const end = /(?<=[.!?])["')\]]*\s+(?=["'(`[]?[\p{Lu}\p{N}])/u;

/** In UTF-16 units. Shorter pieces are not sentences. */
const minSentenceLength = 8;

function splitLine(line: string): string[] {
  return line
    .replace(mark, '')
    .split(end)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length >= minSentenceLength && !/^\[[A-Z ]+\]$/.test(sentence));
}
