import type { RequestedTurn, SummaryRequest } from '../../engine/block/summary';
import { type Entry, isPrompt, textOf, toolCalls } from '../../engine/conversation/entry';
import { coreText } from '../../engine/core/core';

/** What a text says, and the entry in which it stands so. */
export interface Quote {
  readonly text: string;
  readonly entryId: string;
}

/** One turn of the replaced entries, or the part of it that is replaced. */
export interface ToldTurn {
  /** The person's message; null where it stands before the block, or is not in the session. */
  readonly prompt: Quote | null;
  /** The message stands in the protected core, word for word. */
  readonly isInCore: boolean;
  /** The texts of the agent, oldest first. */
  readonly replies: readonly Quote[];
  /** The agent's own summaries of what came before. */
  readonly summaries: readonly Quote[];
  readonly calls: number;
  readonly pictures: number;
  readonly entries: readonly Entry[];
}

/** The turns of a request, oldest first. A swallowed block counts as the turns beneath it. */
export function toldTurns({ turns, core }: SummaryRequest): ToldTurn[] {
  const inCore = core === null ? '' : folded(coreText(core));
  return turns.flatMap(turnsOf).map((part) => told(part, inCore));
}

function folded(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

interface Part {
  readonly prompt: Entry | null;
  readonly entries: Entry[];
}

function turnsOf({ user, userIsReplaced, entries }: RequestedTurn): Part[] {
  const parts: Part[] = [{ prompt: userIsReplaced ? user : null, entries: [] }];
  for (const entry of entries) {
    if (isPrompt(entry)) parts.push({ prompt: entry, entries: [] });
    else parts.at(-1)?.entries.push(entry);
  }
  return parts.filter(({ prompt, entries: own }) => prompt !== null || own.some(({ injected }) => !injected));
}

function told({ prompt, entries }: Part, inCore: string): ToldTurn {
  const said = (of: readonly Entry[]) => of.flatMap((entry) => quoteOf(entry) ?? []);
  return {
    prompt: prompt && { text: textOf(prompt.parts).trim(), entryId: prompt.id },
    isInCore: prompt !== null && inCore.includes(folded(textOf(prompt.parts))),
    replies: said(entries.filter(({ role, summary }) => role === 'assistant' && !summary)),
    summaries: said(entries.filter(({ summary }) => summary)),
    calls: entries.reduce((total, { parts }) => total + toolCalls(parts).length, 0),
    pictures: prompt?.parts.filter(({ type }) => type === 'image').length ?? 0,
    entries: prompt ? [prompt, ...entries] : entries,
  };
}

function quoteOf({ id, parts }: Entry): Quote | null {
  const text = textOf(parts).trim();
  return text === '' ? null : { text, entryId: id };
}
