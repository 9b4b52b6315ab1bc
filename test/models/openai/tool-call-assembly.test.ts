import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ToolCallAssembly } from '../../../extension/models/openai/tool-call-assembly';

const call = fc.record({
  id: fc.string({ maxLength: 8 }),
  name: fc.string({ minLength: 1, maxLength: 8 }),
  pieces: fc.array(fc.string({ maxLength: 5 }), { maxLength: 6 }),
});

/** The call that sends the next piece, by a number modulo the calls that still have pieces. */
const order = fc.array(fc.nat(), { minLength: 40, maxLength: 40 });

it('tool calls are assembled correctly, however their pieces are mixed and whatever their ids', () =>
  fc.assert(
    fc.property(fc.array(call, { maxLength: 5 }), order, (calls, turns) => {
      const assembly = new ToolCallAssembly();
      for (const [index, { id, name }] of calls.entries()) assembly.add({ index, id, name, arguments: '' });
      const left = calls.map(({ pieces }) => [...pieces]);
      for (const turn of turns) {
        const speaking = left.flatMap((pieces, index) => (pieces.length > 0 ? [index] : []));
        const index = speaking[turn % speaking.length];
        if (index === undefined) break;
        assembly.add({ index, id: '', name: '', arguments: left[index]?.shift() ?? '' });
      }
      expect(assembly.calls).toMatchObject(
        calls.map(({ id, name, pieces }) => ({ id, name, arguments: pieces.join('') })),
      );
    }),
  ));
