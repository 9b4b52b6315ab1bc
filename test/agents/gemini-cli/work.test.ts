import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { geminiCli } from '../../../extension/agents/gemini-cli/format/adapter';
import { CallIds } from '../../../extension/sessions/gemini-content/call-ids';
import { build } from '../../sessions/build';
import { header, listed, said } from './records';
import { countVisitedItems } from './work';

describe('calls and results without ids in Gemini content', () => {
  const answerOthers = (count: number) => (): void => {
    const calls = new CallIds();
    for (let index = 0; index < count; index += 1) {
      calls.ofCall(null, 'asked');
      calls.ofResult(null, 'other');
    }
  };

  it('calls and results without ids in Gemini content are matched without visiting all earlier calls', () => {
    expect(countVisitedItems(answerOthers(400))).toBeLessThan(1000);
  });

  it('calls and results without ids in Gemini content are matched by name, oldest first, or only by age without a name', () => {
    const name = fc.constantFrom('a', 'b', 'c');
    const step = fc.record({ isCall: fc.boolean(), name: fc.option(name, { nil: null }) });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const calls = new CallIds();
        const open: { readonly id: string; readonly name: string }[] = [];
        for (const { isCall, name: wanted } of steps) {
          if (isCall) open.push({ id: calls.ofCall(null, wanted ?? ''), name: wanted ?? '' });
          else {
            const oldest = open.find((call) => wanted === null || call.name === wanted);
            if (oldest !== undefined) open.splice(open.indexOf(oldest), 1);
            expect(calls.ofResult(null, wanted)).toBe(oldest?.id ?? null);
          }
        }
      }),
    );
  });
});

describe('a list of all messages in a Gemini CLI session', () => {
  const compactions = (count: number) => (): void => {
    const lists = Array.from({ length: count }, (_, index) =>
      listed(said(`k${index}`, `<state_snapshot>${index}</state_snapshot>`)),
    );
    const { conversation } = build(geminiCli, [header, said('q', 'go'), ...lists]);
    expect(conversation.agentCompactions).toHaveLength(count);
  };

  it('costs the same after many compactions', () => {
    expect(countVisitedItems(compactions(400))).toBeLessThan(2.5 * countVisitedItems(compactions(200)));
  });
});
