import { isOutput } from './pasted';
import { sentencesOf } from './sentences';

/**
 * The sentences of a message that may be pasted although they read like prose: half the lines of their paragraph are
 * output, they stand in markup that a program wrote, or follow words that lead in what a program said.
 */
export function besidePasted(message: string): ReadonlySet<string> {
  return new Set(paragraphsOf(message).flatMap((paragraph) => pastedIn(paragraph)));
}

function paragraphsOf(message: string): string[] {
  return [...message.matchAll(markup)].map(([whole]) => whole).concat(message.replace(markup, '\n\n').split(/\n\s*\n/));
}

/** An element at the beginning of a line. */
const markup = /^[ \t]*<([a-z][\w-]*)\b[^<>]*>[\s\S]*?<\/\1>/gim;

function pastedIn(paragraph: string): readonly string[] {
  if (/^\s*<[a-z][\w-]*\b[^<>]*>[\s\S]*<\/[\w-]+>$/i.test(paragraph)) return sentencesOf(paragraph);
  const lines = paragraph.split('\n').map((line) => line.trim());
  const output = lines.filter((line) => isOutput(line) || boxed.test(line)).length;
  if (lines.length > 1 && output * 2 >= lines.length) return sentencesOf(paragraph);
  const at = paragraph.search(leadIn);
  return at < 0 ? [] : sentencesOf(paragraph.slice(at)).slice(1);
}

const boxed = /^[│┃╭╰┌└●⎿]|[│┃]$/u;

/** "I get this warning in the console: …", "the review says: …". */
const leadIn =
  /\b(?:error|warning|log|console|output|message|trace|terminal|review(?:er)?|comment|response|it|bot) (?:in the \w+|says|said|is|was|shows|returned|reads)?\s*:/i;
