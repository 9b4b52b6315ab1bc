import { describe, expect, it } from 'vitest';
import { sections } from '../../extension/engine/block/sections';
import type { RequestedTurn } from '../../extension/engine/block/summary';
import { countWithO200k } from '../../extension/engine/conversation/tokenizer';
import { namesIn } from '../../extension/engine/language/names';
import { transparentSummary } from '../../extension/summarizers/transparent/transparent';
import { build, linesOf } from '../sessions/build';
import { everySample } from '../sessions/samples';

/** The maximum number of names in a line that follow each other without any text that says what they are. */
function namesInARow(line: string): number {
  const pieces = line.replace(/[`{}[\]()]/g, ' ').split(/[\s,]+/);
  let most = 0;
  let inARow = 0;
  for (const piece of pieces) {
    const isName = namesIn(piece).length > 0;
    inARow = isName ? inARow + 1 : 0;
    most = Math.max(most, inARow);
  }
  return most;
}

describe.each(everySample())('blocks over $name', ({ file, format }) => {
  const { agentContext } = build(format, linesOf(file)).conversation;
  const turns: RequestedTurn[] = [{ user: null, userIsReplaced: false, entries: agentContext, blocks: [] }];

  it.each(['checkpoint', 'goalBatch', 'conversation'] as const)(
    'have in a %s no line with more than a dozen bare names',
    (kind) => {
      const { body } = transparentSummary({
        ...{ summaryType: 'checkpoint', sections: sections[kind], turns, maxTokens: 1600, countTokens: countWithO200k },
        ...{ instructions: null, core: null, liveGoal: 'Go on.', context: agentContext },
      });
      expect(body.split('\n').filter((line) => namesInARow(line) > 12)).toEqual([]);
    },
  );
});
