import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { oncePerText } from '../../../extension/engine/conversation/once-per';
import { collectArtifacts } from '../../../extension/engine/language/artifacts';
import { personSaid } from '../../../extension/engine/language/directions';
import { proposalsFromSentences } from '../../../extension/engine/language/proposals';
import { remarksIn } from '../../../extension/engine/language/remarks';
import { assistant, talk, user } from '../../builders/conversation';

afterEach(() => vi.restoreAllMocks());

/** UTF-16 units that regular expressions read. All methods of strings call `exec` once it is replaced. */
function countedUnits(): () => number {
  const { exec } = RegExp.prototype;
  let units = 0;
  vi.spyOn(RegExp.prototype, 'exec').mockImplementation(function (this: RegExp, text: string) {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const found = exec.call(this, text);
    units += (found ? found.index + found[0].length : text.length) - from;
    return found;
  });
  return () => units;
}

const lines = readFileSync('test/fixtures/claude-code-2.1.330/before-compaction.jsonl', 'utf8').split('\n');

/** What blocks are made from, out of a list of entries that no earlier block had. */
function readAll(prompts: number): void {
  const textOf = (at: number) => `${at}: ${lines[at % lines.length]?.slice(0, 300)}`;
  const said = Array.from({ length: prompts }, (_, at) => [user(textOf(2 * at)), assistant(textOf(2 * at + 1))]);
  const { entries } = talk(...said);
  for (const read of [personSaid, remarksIn, collectArtifacts, proposalsFromSentences]) read(entries);
}

describe('texts that are read again for a later block', () => {
  it('cost less than half of what they cost first', () => {
    const units = countedUnits();
    readAll(8);
    const first = units();
    readAll(8);
    const again = units() - first;
    expect(first).toBeGreaterThan(0);
    expect(again).toBeLessThan(first / 2);
  });

  it('are read once while they are among those read last', () => {
    const read = vi.fn((text: string) => text.length);
    const once = oncePerText(read);
    const half = Array.from({ length: 30_000 }, (_, at) => `${at}`.padStart(40));
    for (const text of [...half, ...half]) expect(once(text)).toBe(40);
    expect(read).toHaveBeenCalledTimes(half.length);
    for (let at = 0; at < 200_000; at += 1) once(`${at}`.padStart(30));
    expect(once(half[0] ?? '')).toBe(40);
    expect(read).toHaveBeenCalledTimes(half.length + 200_000 + 1);
  });
});
