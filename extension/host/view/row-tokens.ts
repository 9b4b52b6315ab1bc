import type { ContextMessage } from '../../engine/conversation/context';
import { toolCalls, toolResults } from '../../engine/conversation/entry';
import type { TokenLedger } from '../../engine/conversation/tokens';
import { divided } from '../../engine/conversation/whole-tokens';
import type { Row } from '../../protocol/view';

/**
 * The tokens of each row, in whole tokens that add up to those of the messages. A row has its share of its message, by
 * the counted tokens that it was built with, and a call's row has those of its result.
 */
export function rowTokens(
  rows: readonly Row[],
  messages: readonly ContextMessage[],
  ofMessages: readonly number[],
  ledger: TokenLedger,
): number[] {
  const tokens: number[] = [];
  const rowOfCall = new Map<string, number>();
  const withCall: [ContextMessage, number][] = [];
  for (const [index, message] of messages.entries()) {
    const size = ofMessages[index] ?? 0;
    const own = rowsFrom(rows, tokens.length, message);
    if (own.length === 0) withCall.push([message, size]);
    const calls = toolCalls(message.parts);
    for (const [place, { callId }] of calls.entries()) {
      rowOfCall.set(callId, tokens.length + own.length - calls.length + place);
    }
    tokens.push(
      ...divided(
        size,
        own.map((row) => row.tokens),
      ),
    );
  }
  for (const [message, size] of withCall) addResults(message, size, { tokens, rowOfCall, ledger });
  return tokens;
}

/** The rows of one message follow each other. A message with results only may have none. */
function rowsFrom(rows: readonly Row[], start: number, { key }: ContextMessage): readonly Row[] {
  let end = start;
  while (isOf(rows[end], key)) end += 1;
  return rows.slice(start, end);
}

function isOf(row: Row | undefined, key: string): boolean {
  return row?.key.startsWith(key) === true && (row.key.length === key.length || row.key[key.length] === '#');
}

interface Tokens {
  readonly tokens: number[];
  readonly rowOfCall: ReadonlyMap<string, number>;
  readonly ledger: TokenLedger;
}

/** Each result of the message goes to the row of its call. */
function addResults({ parts }: ContextMessage, size: number, { tokens, rowOfCall, ledger }: Tokens): void {
  const results = toolResults(parts);
  const shares = divided(
    size,
    results.map((result) => ledger.ofPart(result)),
  );
  for (const [index, { callId }] of results.entries()) {
    const row = rowOfCall.get(callId);
    if (row !== undefined) tokens[row] = (tokens[row] ?? 0) + (shares[index] ?? 0);
  }
}

/** Gives rows their tokens. The same objects as before where nothing changed. */
export class SizedRows {
  readonly #sized = new WeakMap<Row, Row>();

  of(rows: readonly Row[], tokens: readonly number[], calibration: number): Row[] {
    return rows.map((row, index) => this.#sizedRow(row, tokens[index] ?? 0, calibration));
  }

  #sizedRow(row: Row, tokens: number, calibration: number): Row {
    const before = calibratedBefore(row, calibration);
    const known = this.#sized.get(row);
    if (known?.tokens === tokens && (known.block?.tokensBefore ?? null) === before) return known;
    const sized = { ...row, tokens, block: row.block && { ...row.block, tokensBefore: before } };
    this.#sized.set(row, sized);
    return sized;
  }
}

function calibratedBefore({ block }: Row, calibration: number): number | null {
  return !block || block.tokensBefore === null ? null : Math.round(block.tokensBefore * calibration);
}
