import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, it } from 'vitest';
import type { Conversation } from '../../extension/engine/conversation/conversation';
import { readableText } from '../../extension/engine/conversation/entry';
import { emptyOverlay, project } from '../../extension/engine/conversation/projection';
import { countWithO200k } from '../../extension/engine/conversation/tokenizer';
import { openSession } from '../../extension/sessions/open';
import { quickLedger, talk, toolTurn } from '../builders/conversation';
import { compact } from '../builders/run';
import { sampleSessions } from '../builders/samples';
import { median, report } from './measure';

/** Measures ratios only, which hold on any machine. `npm run bench` prints them. */

const entriesPerTurn = 6;

function conversationOf(entries: number): Conversation {
  return talk(...Array.from({ length: entries / entriesPerTurn }, (_, index) => toolTurn(`module-${index}`)));
}

async function realText(): Promise<string> {
  const texts: string[] = [];
  for (const { file } of sampleSessions()) {
    const outcome = await openSession(file);
    if (outcome.kind !== 'opened') throw new Error(String(outcome.message));
    texts.push(...outcome.session.conversation.entries.flatMap((entry) => entry.parts.map(readableText)));
  }
  return texts.join('\n');
}

describe('the engine', () => {
  it('counts tokens', async () => {
    const text = await realText();
    const plain = await median(3, () => countTokens(text, { disallowedSpecial: new Set() }));
    const ours = await median(3, () => countWithO200k(text));
    const tokens = countWithO200k(text);
    console.log(
      `counting: ${Math.round(tokens / (ours / 1000)).toLocaleString('en')} tokens per second on real sessions`,
    );
    report({
      what: 'counting in chunks against gpt-tokenizer at once',
      baseline: 'at once',
      baselineMs: plain,
      measured: 'in chunks',
      measuredMs: ours,
      inputRatio: 1,
    });
    const hostile = 'a'.repeat(1_000_000);
    const ordinary = text.slice(0, 1_000_000);
    report({
      what: 'counting a megabyte without a space against a megabyte of real sessions',
      baseline: 'real',
      baselineMs: await median(3, () => countWithO200k(ordinary)),
      measured: 'hostile',
      measuredMs: await median(3, () => countWithO200k(hostile)),
      inputRatio: hostile.length / ordinary.length,
    });
  });

  it('projects', async () => {
    const [small, large] = [conversationOf(1_002), conversationOf(50_004)];
    const ledger = quickLedger();
    report({
      what: 'projecting 50,000 entries against 1,000, for each entry',
      baseline: '1,000',
      baselineMs: await median(21, () => project(small, emptyOverlay, ledger)),
      measured: '50,000',
      measuredMs: await median(11, () => project(large, emptyOverlay, ledger)),
      inputRatio: large.entries.length / small.entries.length,
    });
  });

  it('plans and compacts', async () => {
    const [small, large] = [conversationOf(300), conversationOf(3_000)];
    report({
      what: 'a whole pipeline run over 3,000 entries against 300, for each entry',
      baseline: '300',
      baselineMs: await median(5, () => compact(small)),
      measured: '3,000',
      measuredMs: await median(3, () => compact(large)),
      inputRatio: large.entries.length / small.entries.length,
    });
  });

  it('makes a long session fit', async () => {
    const [small, large] = [conversationOf(2_268), conversationOf(22_698)];
    // The target grows with the session, so both runs use the same rungs.
    const runOf = ({ entries }: Conversation) => ({
      strategy: 'ladder',
      parameters: {},
      targetTokens: 2 * entries.length,
    });
    report({
      what: 'a run of the ladder over 22,700 messages against 2,270, for each message',
      baseline: '2,270',
      baselineMs: await median(5, () => compact(small, runOf(small))),
      measured: '22,700',
      measuredMs: await median(3, () => compact(large, runOf(large))),
      inputRatio: large.entries.length / small.entries.length,
    });
  });
});
