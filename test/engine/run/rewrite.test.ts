import { describe, expect, it } from 'vitest';
import type { Summarizer, SummaryRequest } from '../../../extension/engine/block/summary';
import type { Inspection } from '../../../extension/inspection/inspection';
import { transparentSummarizer } from '../../../extension/summarizers/transparent/transparent';
import { inspectSample, prepareSample } from '../../builders/inspection';

/** Tests of a block of a real session that is written again: the old text stays until the new one is chosen. */

const body = '## Strategy\nI read the renderer.\n## Operations\n- **read** | Outcome: success\n## Status\nCOMPLETE';

const german =
  'Ich habe die Datei gelesen und den Fehler gefunden. Der Bildschirm wird gelöscht, und das ist der Grund für das Flackern, aber die Tests sind nicht gelaufen.';

function writer(text: string, asked: SummaryRequest[] = []): Summarizer {
  return {
    ...{ name: 'scripted', model: 'better', concurrency: 1 },
    summarize: async (request) => {
      asked.push(request);
      return { body: text, spans: [], tokensSpent: { input: 900, output: 60 }, promptHash: 'hash' };
    },
  };
}

const order = { signal: new AbortController().signal, onText: () => undefined };

async function compacted(strategy: string): Promise<{ inspection: Inspection; journals: string; seq: number }> {
  const sample = await inspectSample();
  const run = await prepareSample(sample.inspection, strategy);
  await sample.inspection.apply(run);
  return { ...sample, seq: run.records.at(-1)?.seq ?? -1 };
}

async function rewritten(inspection: Inspection, seq: number, summarizer: Summarizer) {
  const outcome = await inspection.blockEditor.rewrite(seq, { ...order, summarizer });
  if (outcome.kind === 'rejected') throw new Error(String(outcome.reason));
  return outcome.rewriting;
}

describe('writing a block again', { timeout: 60_000 }, () => {
  it('gives the summarizer the same entries and sections, and changes nothing', async () => {
    const { inspection, seq } = await compacted('tool-calls');
    const { state } = inspection;
    const asked: SummaryRequest[] = [];
    const { before, after } = await rewritten(inspection, seq, writer(body, asked));
    const [request] = asked;
    expect(request?.turns.flatMap(({ entries }) => entries.map(({ id }) => id)).toSorted()).toEqual(
      before.entryIds.toSorted(),
    );
    expect(request?.sections).toContain('What Worked');
    expect(request?.turns[0]?.user).not.toBeNull();
    expect(after.text).toMatch(/^\[SUMMARIZED\]\n## Strategy\nI read the renderer\./);
    expect(inspection.state).toBe(state);
  });

  it('keeps the new text as a record of the journal, and can put the old one back', async () => {
    const { inspection, journals, seq } = await compacted('tool-calls');
    const context = JSON.stringify(inspection.context.messages);
    const rewriting = await rewritten(inspection, seq, writer(body));
    await inspection.blockEditor.applyRewriting(rewriting);
    const record = () => inspection.state.compactions.find((each) => each.record.seq === seq)?.record;
    expect(record()).toEqual(rewriting.after);
    expect(record()).toMatchObject({ summarizer: { model: 'better' }, tokensSpent: { input: 900, output: 60 } });
    expect(record()?.edited).toBeUndefined();
    const { inspection: reopened } = await inspectSample(journals);
    expect(JSON.stringify(reopened.context.messages)).toBe(JSON.stringify(inspection.context.messages));
    await reopened.blockEditor.restore(seq);
    expect(JSON.stringify(reopened.context.messages)).toBe(context);
    expect(reopened.state.compactions.find((each) => each.record.seq === seq)?.record).toEqual(rewriting.before);
  });

  it('undoes and redoes a rewritten text with its block', async () => {
    const { inspection, seq } = await compacted('tool-calls');
    await inspection.blockEditor.applyRewriting(await rewritten(inspection, seq, writer(body)));
    const text = JSON.stringify(inspection.context.messages);
    await inspection.undo();
    await inspection.redo();
    expect(JSON.stringify(inspection.context.messages)).toBe(text);
  });

  it('rejects what a run would reject, and a text that was changed meanwhile', async () => {
    const { inspection, seq } = await compacted('tool-calls');
    const declined = await inspection.blockEditor.rewrite(seq, {
      ...order,
      summarizer: writer('I am sorry, I cannot do that.'),
    });
    expect(declined).toMatchObject({ kind: 'rejected' });
    const empty = await inspection.blockEditor.rewrite(seq, { ...order, summarizer: writer(' ') });
    expect(String(empty.kind === 'rejected' && empty.reason)).toBe(
      'what better wrote is not usable (the summary is empty). Try again, or choose another model.',
    );
    const rewriting = await rewritten(inspection, seq, writer(body));
    await inspection.blockEditor.edit(seq, `${body}\nMore.`);
    await expect(inspection.blockEditor.applyRewriting(rewriting)).rejects.toThrow('changed since');
  });

  it.each([
    ['nonsense', 'asdf qwer 1234', /none of its sections/],
    ['a novel', `## Strategy\n${'And then it went on and on. '.repeat(40_000)}`, /no smaller than what it replaces/],
    ['another language', `## Strategy\n${german}\n## Status\n${german}`, /language that the conversation is not in/],
  ])('keeps the block as it is if the model writes %s', async (_, text, reason) => {
    const { inspection, seq } = await compacted('tool-calls');
    const { state } = inspection;
    const outcome = await inspection.blockEditor.rewrite(seq, { ...order, summarizer: writer(text) });
    expect(String(outcome.kind === 'rejected' && outcome.reason)).toMatch(reason);
    expect(inspection.state).toBe(state);
  });

  it.each(['checkpoint', 'goal-batch'])(
    'writes a block of %s again without a model to a sound text',
    async (strategy) => {
      const { inspection, seq } = await compacted(strategy);
      if (seq < 0) return;
      const { before, after } = await rewritten(inspection, seq, transparentSummarizer);
      expect(after.text.split('\n')[0]).toBe(before.text.split('\n')[0]);
      expect(after.tokensAfter).toBeLessThan(before.tokensBefore);
      expect(after.text.split('\n')[1]).toBe(before.text.split('\n')[1]);
    },
  );
});
