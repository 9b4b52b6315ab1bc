import type { RequestedBlock, RequestedTurn } from '../block/summary';
import { type Entry, inputText, type Part, textOf, toolCalls, toolResults } from '../conversation/entry';
import { subjectOf } from '../conversation/tool-subject';
import { escapedForQuotation } from '../language/quotation';
import type { Piece } from './pieces';
import { withoutReminders } from './reminders';

/** The agent's work within turns that stay: the goal of each turn, then its numbered replies with their results. */
export function operationPieces(turns: readonly RequestedTurn[]): Piece[] {
  const numbering = { next: 1 };
  return turns.flatMap((turn) => [
    ...personPieces('## User Goal\n', turn.user),
    ...inOrder(turn, {
      raw: (entry) => operationPiecesOf(entry, numbering),
      covered: (entry) => operationPiecesOf(entry, numbering),
    }),
  ]);
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
type TurnDetail = 'results' | 'steps';

function personPieces(label: string, entry: Entry | null): Piece[] {
  return entry ? [{ kind: 'person', label, text: messageText(entry.parts) }] : [];
}

/**
 * The outcome of a turn: its blocks in place, and the agent's work outside of them. A block without an opening user
 * message stands for whole turns.
 */
function outcomePieces(turn: RequestedTurn, detail: TurnDetail): Piece[] {
  const numbering = { next: 1 };
  return inOrder(turn, {
    raw: (entry) =>
      detail === 'results' && turn.blocks.length > 0 ? shortPieces(entry, detail) : operationPiecesOf(entry, numbering),
    covered: (entry) => (turn.user === null ? [] : shortPieces(entry, detail)),
  });
}

interface PiecesOf {
  /** The pieces of an entry that no block covers. */
  raw(entry: Entry): Piece[];
  /** The pieces of an entry beneath a block that no model wrote. A model's block takes the place of its entries. */
  covered(entry: Entry): Piece[];
}

/** The entries of a turn in their order, with each block before the first entry beneath it. */
function inOrder({ blocks, entries }: RequestedTurn, { raw, covered }: PiecesOf): Piece[] {
  const owners = new Map(blocks.flatMap((block) => block.entryIds.map((id) => [id, block] as const)));
  const ids = new Set(entries.map(({ id }) => id));
  const shown = new Set(blocks.filter(({ entryIds }) => !entryIds.some((id) => ids.has(id))));
  const pieces = [...shown].map(blockPiece);
  for (const entry of entries) {
    const block = owners.get(entry.id);
    if (block === undefined) pieces.push(...raw(entry));
    else {
      if (!shown.has(block)) pieces.push(blockPiece(block));
      shown.add(block);
      if (!block.isByModel) pieces.push(...covered(entry));
    }
  }
  return pieces;
}

const tagLine = /^(\[[A-Z ]+\])\n/;

function blockPiece({ text }: RequestedBlock): Piece {
  const tag = tagLine.exec(text);
  return { kind: 'block', label: `${tag?.[1] ?? '[SUMMARIZED]'}: `, text: text.slice(tag?.[0].length ?? 0) };
}

function shortPieces(entry: Entry, detail: TurnDetail): Piece[] {
  const text = textOf(entry.parts);
  const calls = toolCalls(entry.parts);
  if (entry.role !== 'assistant') return entry.role === 'user' ? betweenReplies(entry) : [];
  const reply: Piece[] = text.trim() === '' ? [] : [{ kind: 'reply', label: '[reply]: ', text }];
  if (calls.length === 0) return reply;
  return detail === 'results' ? [] : [...reply, ...calls.map(callLine)];
}

function callLine(call: ReturnType<typeof toolCalls>[number]): Piece {
  return { kind: 'input', label: `**${toolName(call.name)}** `, text: subjectOf(call) };
}

/** A reply starts an operation that includes its results. Entries before the first reply are in none. */
function operationPiecesOf(entry: Entry, numbering: { next: number }): Piece[] {
  if (entry.role === 'tool') return resultPieces(entry);
  if (entry.role !== 'assistant') return betweenReplies(entry);
  const number = numbering.next;
  numbering.next += 1;
  return [mark(`--- Operation ${number} ---`), ...replyPieces(entry)];
}

function replyPieces({ parts }: Entry): Piece[] {
  const text = messageText(parts);
  const reply: Piece[] = text === '' ? [] : [{ kind: 'reply', label: '', text }];
  const calls = toolCalls(parts).map(
    ({ name, input }): Piece => ({
      kind: 'input',
      label: `**${toolName(name)}** | Inputs: `,
      text: inputText(input),
    }),
  );
  return [...reply, ...calls];
}

/** Reminders that vendors add to a result are not part of it. */
function resultPieces({ parts }: Entry): Piece[] {
  return toolResults(parts).map(
    ({ name, text, isError }): Piece => ({
      kind: 'result',
      label: `${isError ? 'Failed result' : 'Result'}${name === null ? '' : ` of ${toolName(name)}`}: `,
      text: withoutReminders(text).trimEnd(),
    }),
  );
}

/**
 * An entry between replies: a summary by the agent, a message of the user, or what the agent's program put in, such as the output
 * of a command that the user ran. Reminders are left out.
 */
function betweenReplies(entry: Entry): Piece[] {
  const text = entry.injected ? withoutReminders(messageText(entry.parts)).trim() : messageText(entry.parts);
  if (text === '') return [];
  if (entry.summary) return [{ kind: 'block', label: '[summary]: ', text }];
  if (entry.injected) return [{ kind: 'input', label: '[program]: ', text }];
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
