import fc from 'fast-check';
import type { Entry, ToolResultPart } from '../../extension/engine/conversation/entry';
import type { Line } from '../../extension/platform/lines/line';
import type { LineFormat } from '../../extension/sessions/adapter';
import type { Chance, ForkFormat, ForkPiece } from '../../extension/sessions/fork/fork-format';
import type { ParsedSession } from '../../extension/sessions/session';
import { build } from './build';
import { picture } from './picture';

/** Ids and times that are the same in every run. */
export function countingChance(): Chance {
  let count = 0;
  return {
    uuid: () => {
      count += 1;
      const digits = count.toString(16).padStart(8, '0');
      return `${digits}-0000-4000-8000-0000${digits}`;
    },
    now: () => new Date(Date.UTC(2026, 0, 1) + count * 1000),
  };
}

export interface Forked {
  readonly original: ParsedSession;
  /** The lines of the new file. */
  readonly lines: readonly string[];
  /** The session as its adapter reads it. */
  readonly session: ParsedSession;
}

export interface ForkWish {
  readonly before?: Entry;
  readonly pieces?: (copy: ParsedSession) => readonly ForkPiece[];
  /** The content of the file when it is copied, if it differs from what was read. */
  readonly changedTo?: readonly unknown[];
}

/** A fork as it is written: a copy, followed by records that make the agent send these pieces. */
export async function forked(adapter: LineFormat, source: readonly unknown[], what: ForkWish = {}): Promise<Forked> {
  const format = forkOf(adapter);
  const original = build(adapter, source);
  const chance = countingChance();
  const place = format.place(original, chance);
  const found = linesOf(textsOf(what.changedTo ?? source));
  const lines = await collected(format.copy({ original, place, lines: found, before: what.before ?? null, chance }));
  const session = build(adapter, lines);
  if (what.pieces === undefined) return { original, lines, session };
  const all = [...lines, ...(await compacted(adapter, lines, session, what.pieces(session)))];
  return { original, lines: all, session: build(adapter, all) };
}

/** The records that are written after a session. */
export async function compacted(
  adapter: LineFormat,
  source: readonly unknown[],
  session: ParsedSession,
  pieces: readonly ForkPiece[],
): Promise<string[]> {
  const tokens = { before: 1000, after: 100 };
  const lines = linesOf(textsOf(source));
  return await collected(forkOf(adapter).compacted({ session, lines, pieces, tokens, chance: countingChance() }));
}

function forkOf(adapter: LineFormat): ForkFormat {
  if (adapter.fork === undefined) throw new Error(`${adapter.agent} has no forks`);
  return adapter.fork;
}

export function textsOf(records: readonly unknown[]): string[] {
  return records.map((record) => (typeof record === 'string' ? record : JSON.stringify(record)));
}

function linesOf(texts: readonly string[]): () => AsyncIterable<Line> {
  return async function* () {
    for (const [index, text] of texts.entries()) yield { number: index + 1, text };
  };
}

async function collected(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

/** The sent messages without the prompt: roles and words, whether the agent or Strata wrote them. */
export function sentOf(entries: readonly Entry[]): string[] {
  return entries
    .filter((entry) => entry.role !== 'system')
    .flatMap(({ injected: _injected, summary: _summary, ...entry }) => picture([entry]));
}

export function sentAsPieces(pieces: readonly ForkPiece[]): string[] {
  return pieces.flatMap((piece) => {
    if (piece.kind === 'text') return [`${piece.role}: ${piece.text}`];
    return sentOf([piece.kind === 'edited' ? { ...piece.entry, parts: piece.parts } : piece.entry]);
  });
}

/** The messages that count as the person's. */
export function personsWords(entries: readonly Entry[]): string[] {
  return picture(entries.filter((entry) => entry.role === 'user' && !entry.injected));
}

export function personsWordsIn(pieces: readonly ForkPiece[]): string[] {
  return pieces.flatMap((piece) => {
    if (piece.kind === 'text') return [];
    return personsWords([piece.kind === 'edited' ? { ...piece.entry, parts: piece.parts } : piece.entry]);
  });
}

/** A file whose middle third was removed. */
export function withoutMiddle<T>(lines: readonly T[]): T[] {
  const third = Math.floor(lines.length / 3);
  return [...lines.slice(0, third), ...lines.slice(2 * third)];
}

export function userText(text: string): ForkPiece {
  return { kind: 'text', role: 'user', text };
}

export function assistantText(text: string): ForkPiece {
  return { kind: 'text', role: 'assistant', text };
}

/** The messages of a session from an entry on, as pieces. */
export function piecesFrom(session: ParsedSession, id: string): ForkPiece[] {
  const { agentContext } = session.conversation;
  const first = agentContext.findIndex((entry) => entry.id === id);
  return agentContext
    .slice(first)
    .filter((entry) => entry.role !== 'system')
    .map((entry) => pieceOf(session, entry));
}

function pieceOf({ conversation }: ParsedSession, entry: Entry): ForkPiece {
  return conversation.entries.includes(entry)
    ? { kind: 'original', entry }
    : { kind: 'edited', entry, parts: entry.parts };
}

/**
 * Pieces as projections yield them: in some cases a core, then the messages of the session, with texts in place of some
 * sequences of them, and with some results emptied. A reply and its results stay together.
 */
export function projectedPieces(session: ParsedSession): fc.Arbitrary<ForkPiece[]> {
  const groups = exchangesOf(session.conversation.agentContext.filter((entry) => entry.role !== 'system'));
  const fates = fc.array(fc.constantFrom('kept', 'kept', 'replaced', 'pruned'), {
    minLength: groups.length,
    maxLength: groups.length,
  });
  return fc.tuple(fates, fc.boolean()).map(([chosen, hasCore]) => {
    const pieces: ForkPiece[] = hasCore ? [userText('the core')] : [];
    for (const [index, group] of groups.entries()) {
      const fate = chosen[index];
      if (fate !== 'replaced')
        for (const entry of group) pieces.push(fate === 'pruned' ? pruned(session, entry) : pieceOf(session, entry));
      else if (chosen[index - 1] !== 'replaced') pieces.push(blockFor(group, index));
    }
    return pieces;
  });
}

function exchangesOf(entries: readonly Entry[]): Entry[][] {
  const groups: Entry[][] = [];
  for (const entry of entries) {
    const last = groups.at(-1);
    if (entry.role === 'tool' && last !== undefined) last.push(entry);
    else groups.push([entry]);
  }
  return groups;
}

function blockFor([first]: readonly Entry[], index: number): ForkPiece {
  const text = `[SUMMARIZED] block ${index}`;
  return first?.role === 'user' ? userText(text) : assistantText(text);
}

function pruned(session: ParsedSession, entry: Entry): ForkPiece {
  const [result] = entry.parts;
  if (result?.type !== 'tool_result') return pieceOf(session, entry);
  const parts: ToolResultPart[] = [{ ...result, text: '[PRUNED]' }];
  return { kind: 'edited', entry, parts };
}
