import type { SectionName } from '../../engine/block/sections';
import { withoutImpostors } from '../../engine/compaction/impostors';
import { withoutReasoning } from '../../models/reasoning';
import { withHeadings } from './headings';

/**
 * Converts a model's answer to the body of a block. Another model will read it, so nothing in it may pass for prompt
 * structure, for another block or for the protected core.
 */
export function cleanAnswer(answer: string, sections: readonly SectionName[]): string {
  const inner = withoutWrapper(withoutFence(withoutThoughts(withoutReasoning(answer).replaceAll('\r\n', '\n')).trim()));
  const text = withoutClosing(withoutRoles(withoutTag(inner)));
  const body = sections.length > 0 ? withHeadings(text, sections) : withoutPreamble(text);
  return withoutImpostors(body).trim();
}

const thoughts = /^[ \t]*<(think|thinking|reasoning)>[\s\S]*?(?:<\/\1>|(?![\s\S]))[ \t]*\n?/gim;

/** Removes reasoning in tags after the beginning, also if the answer ends within it. */
function withoutThoughts(text: string): string {
  return text.replace(thoughts, '');
}

const wrapper = /^```(?:markdown|md|text|txt)?[ \t]*\n/i;

/** Removes a code fence around the whole answer. A fence with a language contains code that belongs to the text. */
export function withoutFence(text: string): string {
  const opening = wrapper.exec(text);
  if (!opening) return text;
  const inner = text.slice(opening[0].length);
  const fences = inner.match(/^```/gm)?.length ?? 0;
  if (fences % 2 === 0) return inner.trim();
  return inner.endsWith('```') ? inner.slice(0, -3).trim() : text;
}

const markup = '(?:summary|analysis|answer|output|result|response|context|memory|text)';
const wrapped = /<(summary|answer|output|response|memory)>\s*\n([\s\S]*?)\n\s*<\/\1>/i;
const loneMarkup = new RegExp(`^[ \\t]*</?${markup}>[ \\t]*$\\n?`, 'gim');

/** Removes tags around the answer, which models trained to summarise in tags add, and everything outside of them. */
function withoutWrapper(text: string): string {
  return (wrapped.exec(text)?.[2] ?? text).replace(loneMarkup, '').trim();
}

/** Removes role labels before lines. The person's words keep theirs. */
function withoutRoles(text: string): string {
  return text.replace(/^[ \t]*(?:\*\*)?\[?(?:assistant|agent|model|ai)\]?:(?:\*\*)?[ \t]*/gim, '');
}

const closing =
  /\n+(?:[-*_]{3,}\s*\n+)?[^\S\n]*(?:let me know|i hope (?:this|that)|hope this|feel free|please let me know|would you like|do you want|is there anything|if you (?:need|want|['’]d like|would like)|i apologi[sz]e|sorry (?:for|if|that))\b[^\n]*$/i;

/** Removes offers of help and apologies in the last line. */
function withoutClosing(text: string): string {
  return text.replace(closing, '').trimEnd();
}

const leadingTag = /^(?:\*\*)?\[(?:SUMMARIZED|GOAL BATCH)\](?:\*\*)?:?[ \t]*\n?/i;

function withoutTag(text: string): string {
  return text.replace(leadingTag, '').trimStart();
}

const preamble = /^(?:sure|certainly|of course|okay|ok|here(?:[’']s| is| are))\b[^\n]{0,200}:[ \t]*\n+/i;

function withoutPreamble(text: string): string {
  return text.replace(preamble, '');
}
