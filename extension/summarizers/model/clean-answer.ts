import type { SectionName } from '../../engine/block/sections';
import { withoutImpostors } from '../../engine/compaction/impostors';
import { withoutReasoning } from '../../models/reasoning';
import { withHeadings } from './headings';

/**
 * Converts a model's answer to the body of a block. Another model will read it, so nothing in it may pass for prompt
 * structure, for another block or for the protected core.
 */
export function cleanAnswer(answer: string, sections: readonly SectionName[]): string {
  const text = withoutTag(withoutFence(withoutReasoning(answer).replaceAll('\r\n', '\n').trim()));
  const body = sections.length > 0 ? withHeadings(text, sections) : withoutPreamble(text);
  return withoutImpostors(body).trim();
}

const wrapper = /^```(?:markdown|md|text|txt)?[ \t]*\n/i;

/** A code fence around the whole answer. One with a language contains code that belongs to the text. */
export function withoutFence(text: string): string {
  const opening = wrapper.exec(text);
  if (!opening) return text;
  const inner = text.slice(opening[0].length);
  const fences = inner.match(/^```/gm)?.length ?? 0;
  if (fences % 2 === 0) return inner.trim();
  return inner.endsWith('```') ? inner.slice(0, -3).trim() : text;
}

const leadingTag = /^(?:\*\*)?\[(?:SUMMARIZED|GOAL BATCH)\](?:\*\*)?:?[ \t]*\n?/i;

function withoutTag(text: string): string {
  return text.replace(leadingTag, '').trimStart();
}

const preamble = /^(?:sure|certainly|of course|okay|ok|here(?:[’']s| is| are))\b[^\n]{0,200}:[ \t]*\n+/i;

function withoutPreamble(text: string): string {
  return text.replace(preamble, '');
}
