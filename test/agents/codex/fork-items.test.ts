import { expect, it } from 'vitest';
import { callTypes, withInstructions } from '../../../extension/agents/codex/fork/items';
import type { Entry } from '../../../extension/engine/conversation/entry';
import type { ForkPiece } from '../../../extension/sessions/fork/fork-format';
import { callItem } from './records';

/** Counts how often the items of this many calls are read. Each call has an instruction before it. */
function reads(calls: number): number {
  let count = 0;
  const counted = <Value extends object>(value: Value): Value =>
    new Proxy(value, {
      get: (target, key, receiver) => {
        count += 1;
        return Reflect.get(target, key, receiver);
      },
    });
  const entry = (id: string, role: Entry['role']): Entry =>
    counted({ id, role, parts: [], timestamp: null, origin: { file: 'f', line: 1 } });
  const context = Array.from({ length: calls }, (_, index) => [
    entry(`s${index}`, 'system'),
    entry(`a${index}`, 'assistant'),
  ]).flat();
  const items = new Map(context.map(({ id }) => [id, [counted(callItem(id))]]));
  const said = context.filter(({ role }) => role === 'assistant');
  const pieces = withInstructions(
    said.map((piece): ForkPiece => ({ kind: 'original', entry: piece })),
    context,
    items,
  );
  expect(pieces.map((piece) => (piece.kind === 'text' ? '' : piece.entry.id))).toEqual(context.map(({ id }) => id));
  const types = callTypes(items);
  for (const { id } of said) expect(types.get(id)).toBe('function_call');
  return count;
}

it('instructions and calls are looked at so many times each, however many there are', () => {
  expect(reads(400)).toBeLessThanOrEqual(reads(100) * 4);
});
