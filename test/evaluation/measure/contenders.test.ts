import { describe, expect, it } from 'vitest';
import { strategyChoices } from '../../../extension/engine/run/prepare/registry';
import {
  contenderNamed,
  contenderOf,
  defaultLineUp,
  fullLineUp,
  UnknownContender,
} from '../../../extension/evaluation/measure/contenders/line-up';
import { textOfContext } from '../../../extension/evaluation/measure/grading';
import { type ContenderId, contenderKey } from '../../../extension/evaluation/measure/results';
import { conversationOf, scriptOf } from '../../../extension/evaluation/measure/tasks/script';
import { TruthOverTime } from '../../../extension/evaluation/measure/tasks/truth';
import { variationOf } from '../../../extension/evaluation/measure/tasks/variation';
import { playTools } from '../../builders/evaluation-play';
import { smallTask } from '../../builders/evaluation-task';

const signal = new AbortController().signal;

/** The contexts of a contender after each compaction, one every ten turns. */
async function contextsOf(id: ContenderId): Promise<string[]> {
  const variation = variationOf(smallTask(), 1);
  const script = scriptOf(variation);
  const truth = new TruthOverTime(variation);
  const contender = contenderOf(id, playTools());
  const contexts: string[] = [];
  for (const [index, turn] of script.turns.entries()) {
    const { entries } = conversationOf(script, index + 1);
    contender.keepCore({ turn, entries, changes: truth.changesIn(index) });
    if (index % 10 !== 9) continue;
    const conversation = conversationOf(script, index + 1);
    await contender.compact(conversation, signal);
    contexts.push(textOfContext(contender.contextOf(conversation).messages));
  }
  return contexts;
}

describe('the line-up', () => {
  it('includes every strategy of the engine, with and without a core', () => {
    const keys = fullLineUp().map(contenderKey);
    for (const { name } of strategyChoices()) {
      expect(keys).toEqual(expect.arrayContaining([name, `${name}+proposed`, `${name}+pinned`]));
    }
    const usual = defaultLineUp.map(contenderKey);
    expect(usual).toEqual(expect.arrayContaining(['no-compaction', 'truncation', 'checkpoint', 'ladder', 'pipeline']));
    for (const id of defaultLineUp) expect(contenderNamed(contenderKey(id))).toEqual(id);
  });

  it('refuses unknown names', () => {
    for (const name of ['nothing', 'checkpoint+sometimes', 'checkpoint+pinned+pinned', '']) {
      expect(() => contenderNamed(name)).toThrow(UnknownContender);
    }
  });
});

describe('a contender', () => {
  it('never shows a core for a contender without one', async () => {
    for (const strategy of ['naive', 'checkpoint', 'pipeline', 'truncation']) {
      for (const context of await contextsOf({ strategy, core: 'none' }))
        expect(context).not.toContain('PROTECTED CORE');
    }
  });

  it('shows the current goal and constraints in a pinned core, and drops withdrawn ones', async () => {
    for (const strategy of ['naive', 'truncation']) {
      const contexts = await contextsOf({ strategy, core: 'pinned' });
      const [first = '', , third = ''] = contexts.map((context) => context.split('## Hard Constraints')[1] ?? '');
      expect(first).toContain('- Stay below 300 euros.');
      expect(third).toContain('- You may go up to 500 euros.');
      expect(third).not.toContain('- Stay below 300 euros.');
    }
  });

  it('proposes nothing for a core by wording, and has what a careful person pins', async () => {
    const [proposed = ''] = await contextsOf({ strategy: 'truncation', core: 'proposed' });
    expect(proposed).not.toContain('## Hard Constraints');
    const [pinned = ''] = await contextsOf({ strategy: 'truncation', core: 'pinned' });
    expect(pinned.split('## Hard Constraints')[1]).toContain('Never paint the north wall.');
  });

  it('keeps only the newest turns with truncation', async () => {
    const [first = ''] = await contextsOf({ strategy: 'truncation', core: 'none' });
    expect(first).toContain('Look at part 10');
    expect(first).not.toContain('survey');
  });

  it('keeps every word without compaction', async () => {
    const contexts = await contextsOf({ strategy: 'no-compaction', core: 'none' });
    expect(contexts.at(-1)).toContain('Look at part 2 ');
  });
});
