import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CountTexts, countAhead, uncountedIn } from '../../../extension/engine/conversation/counting-ahead';
import { countWithO200k } from '../../../extension/engine/conversation/tokenizer';
import { maxCountedLength, TokenLedger } from '../../../extension/engine/conversation/tokens';
import { assistant, call, result, type Said, system, talk, user } from '../../builders/conversation';

const { signal } = new AbortController();
const count: CountTexts = async (texts) => texts.map(countWithO200k);

/** A ledger that throws if it has to count a text itself. */
function passiveLedger(): TokenLedger {
  return new TokenLedger((text) => {
    throw new Error(`“${text.slice(0, 20)}” was not counted ahead.`);
  });
}

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '<|endoftext|>', 'ünïcödé 🎉', '\ud800'),
  fc
    .tuple(fc.constantFrom('a ', 'line\n', '🎉', 'x'), fc.nat(1000))
    .map(([text, more]) => text.repeat(maxCountedLength + more)),
);
const anySaid: fc.Arbitrary<Said> = fc.oneof(
  anyText.map(user),
  anyText.map(system),
  anyText.map((text) => assistant(text)),
  fc.tuple(anyText, fc.jsonValue()).map(([name, input]) => call('c', name, input)),
  anyText.map((text) => result('c', text)),
);

describe('counting ahead', () => {
  it('gives the same counts as counting on demand', async () => {
    const anyConversation = fc.array(anySaid, { maxLength: 12 }).map((said) => talk(said));
    await fc.assert(
      fc.asyncProperty(anyConversation, async ({ entries }) => {
        const atOnce = new TokenLedger(countWithO200k);
        const ahead = passiveLedger();
        await countAhead(uncountedIn(entries, ahead), ahead, count, signal);
        expect(entries.map((entry) => ahead.ofEntry(entry))).toEqual(entries.map((entry) => atOnce.ofEntry(entry)));
        expect(uncountedIn(entries, ahead)).toEqual({ parts: [], length: 0 });
      }),
      { numRuns: 25, seed: 6 },
    );
  });

  it('counts in batches of about a megabyte, also within one long text', async () => {
    const { entries } = talk(user('short'), result('c', 'word '.repeat(700_000)), assistant('also short'));
    const batches: number[] = [];
    const ledger = passiveLedger();
    await countAhead(uncountedIn(entries, ledger), ledger, recorded(batches), signal);
    const megabyte = 2 ** 20;
    const rest = 3_500_000 - 3 * megabyte + 'also short'.length;
    expect(batches).toEqual(['short'.length, megabyte, megabyte, megabyte, rest]);
  });

  it('counts each part once', async () => {
    const first = talk(user('one'), assistant('two')).entries;
    const ledger = passiveLedger();
    await countAhead(uncountedIn(first, ledger), ledger, count, signal);
    const more = talk(user('three')).entries;
    expect(uncountedIn([...first, ...more], ledger)).toEqual({ parts: more[0]?.parts, length: 'three'.length });
  });

  it('stops between two batches on abort and keeps the finished counts', async () => {
    const { entries } = talk(user('a '.repeat(2 ** 19)), user('b '.repeat(2 ** 19)), user('c '.repeat(2 ** 19)));
    const controller = new AbortController();
    const ledger = passiveLedger();
    const abortingCount: CountTexts = async (texts) => {
      controller.abort(new Error('closed'));
      return texts.map(countWithO200k);
    };
    const counting = countAhead(uncountedIn(entries, ledger), ledger, abortingCount, controller.signal);
    await expect(counting).rejects.toThrow('closed');
    expect(uncountedIn(entries, ledger).length).toBe(2 ** 21);
  });

  it('throws if there are fewer counts than texts', async () => {
    const { entries } = talk(user('one'), user('two'));
    const ledger = passiveLedger();
    const counting = countAhead(uncountedIn(entries, ledger), ledger, async () => [1], signal);
    await expect(counting).rejects.toThrow('1 counts came for 2 texts');
  });
});

function recorded(batches: number[]): CountTexts {
  return async (texts) => {
    batches.push(texts.reduce((sum, text) => sum + text.length, 0));
    return texts.map(() => 1);
  };
}
