import type { RequestedTurn, SummaryRequest } from '../../engine/block/summary';
import { type Entry, isPrompt, textOf, toolCalls } from '../../engine/conversation/entry';
import { isProviderTool } from '../../engine/conversation/provider-tools';
import { oneLine } from '../../engine/conversation/text';
import { coreText, goalContinues } from '../../engine/core/core';

export interface Quote {
  readonly text: string;
  readonly entryId: string;
}

/** One turn of the replaced entries, or the part of it that is replaced. */
export interface QuotedTurn {
  /**
   * The person's message, or the rest of it where the core has its beginning; null if it comes before the block, or is not
   * in the session.
   */
  readonly prompt: Quote | null;
  /** The protected core contains the message verbatim. */
  readonly isInCore: boolean;
  /** The protected core has its beginning, and `prompt` the rest. */
  readonly continuesCore: boolean;
  /** The texts of the agent, oldest first. */
  readonly replies: readonly Quote[];
  /** The agent's own summaries of what came before. */
  readonly summaries: readonly Quote[];
  readonly calls: number;
  readonly pictures: number;
  /** Entries that the agent's program put between its steps. */
  readonly notes: readonly Entry[];
  readonly entries: readonly Entry[];
}

/** The turns of a request, oldest first. A block among the replaced messages counts as the turns that it replaced. */
export function quotedTurns({ turns, core }: SummaryRequest): QuotedTurn[] {
  const inCore = core === null ? '' : oneLine(coreText(core));
  const beginning = beginningInCore(core?.original_goal ?? '');
  return joined(turns.flatMap(turnsOf)).map((part) => quotedTurn(part, inCore, beginning));
}

/** The beginning of a long first message, as the core shows it; null if the core shows all of it. */
function beginningInCore(goal: string): string | null {
  return goal.endsWith(goalContinues) ? goal.slice(0, -goalContinues.length).trimEnd() : null;
}

interface Part {
  readonly prompt: Entry | null;
  /** No message of the person opens it: a summary or a notice comes between it and the turn before. */
  readonly isContinued: boolean;
  readonly entries: Entry[];
}

function turnsOf({ user, userIsReplaced, entries }: RequestedTurn): Part[] {
  const parts: Part[] = [{ prompt: userIsReplaced ? user : null, isContinued: user === null, entries: [] }];
  for (const entry of entries) {
    if (isPrompt(entry)) parts.push({ prompt: entry, isContinued: false, entries: [] });
    else parts.at(-1)?.entries.push(entry);
  }
  return parts.filter(
    ({ prompt, entries: own }) => prompt !== null || own.some(({ injected, summary }) => !injected || summary),
  );
}

/** Joins parts that continue a turn with it. */
function joined(parts: readonly Part[]): Part[] {
  const all: Part[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    if (last === undefined || !part.isContinued) all.push(part);
    else all[all.length - 1] = { ...last, entries: [...last.entries, ...part.entries] };
  }
  return all;
}

function quotedTurn({ prompt, entries }: Part, inCore: string, beginning: string | null): QuotedTurn {
  const asked = prompt ? textOf(prompt.parts).trim() : '';
  const continuesCore = beginning !== null && beginning !== '' && asked.startsWith(beginning);
  const said = (of: readonly Entry[]) => of.flatMap((entry) => quoteOf(entry) ?? []);
  return {
    prompt: prompt && { text: continuesCore ? asked.slice(beginning.length).trim() : asked, entryId: prompt.id },
    isInCore: prompt !== null && inCore.includes(oneLine(asked)),
    continuesCore,
    replies: said(entries.filter(({ role, summary, injected }) => role === 'assistant' && !summary && !injected)),
    summaries: said(entries.filter(({ summary }) => summary)),
    calls: entries.reduce((total, { parts }) => total + toolCalls(parts).length, 0),
    pictures: prompt?.parts.filter(({ type }) => type === 'image').length ?? 0,
    notes: entries.filter(({ injected, summary }) => injected && !summary),
    entries: prompt ? [prompt, ...entries] : entries,
  };
}

function quoteOf({ id, parts }: Entry): Quote | null {
  const text = textOf(parts.filter((part) => part.type !== 'text' || !isProviderTool(part.text))).trim();
  return text === '' ? null : { text, entryId: id };
}
