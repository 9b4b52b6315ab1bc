import type { RequestedTurn } from '../block/summary';
import { type Entry, inputText, type Part, textOf, toolCalls, toolResults } from '../conversation/entry';
import { subjectOf } from '../conversation/tool-subject';
import { escapedForQuotation } from '../language/quotation';
import type { Piece } from './pieces';

/** The agent's work within turns that stay: the goal of each turn, then its numbered replies with their results. */
export function operationPieces(turns: readonly RequestedTurn[]): Piece[] {
  const numbering = { next: 1 };
  return turns.flatMap((turn) => [...goalPieces(turn), ...blockPieces(turn), ...operationsOf(turn.entries, numbering)]);
}

/** Whole turns, numbered: what the user said and what came of it. */
export function turnPieces(turns: readonly RequestedTurn[], detail: TurnDetail): Piece[] {
  return turns.flatMap((turn, index) => [
    mark(`--- Turn ${index + 1} ---`),
    ...personPieces('[user]: ', turn.user),
    ...outcomePieces(turn, detail),
  ]);
}

/**
 * The detail of turns that have blocks. `results`: their blocks and the agent's replies. `steps`: also the tool calls.
 */
export type TurnDetail = 'results' | 'steps';

function goalPieces({ user }: RequestedTurn): Piece[] {
  return personPieces('## User Goal\n', user);
}

function personPieces(label: string, entry: Entry | null): Piece[] {
  return entry ? [{ kind: 'person', label, text: messageText(entry.parts) }] : [];
}

/**
 * The outcome of a turn: its blocks if it has any, with at least the names of its remaining calls. A block without an
 * opening user message stands for whole turns.
 */
function outcomePieces(turn: RequestedTurn, detail: TurnDetail): Piece[] {
  if (turn.blocks.length === 0) return operationsOf(turn.entries, { next: 1 });
  if (turn.user === null) return blockPieces(turn);
  const steps = turn.entries.flatMap((entry) => shortPieces(entry, detail));
  return [...blockPieces(turn), ...steps];
}

const tagLine = /^(\[[A-Z ]+\])\n/;

function blockPieces({ blocks }: RequestedTurn): Piece[] {
  return blocks.map((block) => {
    const tag = tagLine.exec(block);
    return { kind: 'block', label: `${tag?.[1] ?? '[SUMMARIZED]'}: `, text: block.slice(tag?.[0].length ?? 0) };
  });
}

function shortPieces(entry: Entry, detail: TurnDetail): Piece[] {
  const said = textOf(entry.parts);
  const calls = toolCalls(entry.parts);
  if (entry.role !== 'assistant') return entry.role === 'user' ? betweenReplies(entry) : [];
  const reply: Piece[] = said.trim() === '' ? [] : [{ kind: 'reply', label: '[reply]: ', text: said }];
  if (calls.length === 0) return reply;
  return detail === 'results' ? [] : [...reply, ...calls.map(callLine)];
}

function callLine(call: ReturnType<typeof toolCalls>[number]): Piece {
  return { kind: 'input', label: `**${toolName(call.name)}** `, text: subjectOf(call) };
}

/** A reply starts an operation that includes its results. Entries before the first reply are in none. */
function operationsOf(entries: readonly Entry[], numbering: { next: number }): Piece[] {
  return entries.flatMap((entry) => {
    if (entry.role === 'assistant') {
      const number = numbering.next;
      numbering.next += 1;
      return [mark(`--- Operation ${number} ---`), ...replyPieces(entry)];
    }
    return entry.role === 'tool' ? resultPieces(entry) : betweenReplies(entry);
  });
}

function replyPieces({ parts }: Entry): Piece[] {
  const said = messageText(parts);
  const reply: Piece[] = said === '' ? [] : [{ kind: 'reply', label: '', text: said }];
  const calls = toolCalls(parts).map(
    ({ name, input }): Piece => ({
      kind: 'input',
      label: `**${toolName(name)}** | Inputs: `,
      text: inputText(input),
    }),
  );
  return [...reply, ...calls];
}

function resultPieces({ parts }: Entry): Piece[] {
  return toolResults(parts).map(
    ({ name, text, isError }): Piece => ({
      kind: 'result',
      label: `${isError ? 'Failed result' : 'Result'}${name === null ? '' : ` of ${toolName(name)}`}: `,
      text,
    }),
  );
}

/** An entry between replies: a summary by the agent, a message of the user, or a reminder. */
function betweenReplies(entry: Entry): Piece[] {
  const text = messageText(entry.parts);
  if (text === '') return [];
  if (entry.summary) return [{ kind: 'block', label: '[summary]: ', text }];
  if (entry.injected) return [{ kind: 'input', label: '[reminder]: ', text }];
  return [{ kind: 'person', label: entry.role === 'user' ? '[user]: ' : `[${entry.role}]: `, text }];
}

const maxToolNameLength = 80;

/** Shortened and escaped, because it becomes part of a label. */
function toolName(name: string): string {
  return escapedForQuotation(name.slice(0, maxToolNameLength)).replace(/\s+/g, ' ');
}

function messageText(parts: readonly Part[]): string {
  const pictures = parts.filter((part) => part.type === 'image').map(({ mediaType }) => `[a picture, ${mediaType}]`);
  return [textOf(parts), ...pictures].filter((text) => text.trim() !== '').join('\n');
}

function mark(label: string): Piece {
  return { kind: 'mark', label, text: '' };
}
