import { describe, expect, it } from 'vitest';
import { declines, hedgedSentence, repliesToConversation } from '../../../extension/engine/compaction/manner';

const plain = ['I read src/a.ts.', 'I fixed the cache.', 'All tests passed.', 'I committed it.', 'Nothing is open.'];

describe('a hedged summary', () => {
  it.each([
    'It seems I possibly fixed the parser.',
    'I think I changed src/a.ts.',
    'Perhaps we renamed the class.',
    'I might have removed the old flag.',
    "I'm not sure whether I ran the tests.",
  ])('doubts what the writer did: %s', (sentence) => {
    expect(hedgedSentence(`## Strategy\n${sentence}\n## Status\nCOMPLETE All is done.`)).toBe(sentence);
  });

  it('hedges in more than a third of its sentences', () => {
    const hedges = ['The cause is probably the cache.', 'The API seems to be slow.', 'It might be a race.'];
    expect(hedgedSentence([...hedges, ...plain].join('\n'))).toBe(hedges[0]);
    expect(hedgedSentence([...hedges.slice(1), ...plain].join('\n'))).toBeNull();
  });

  it.each([
    'The user said: "I think we should use TOML, maybe later."',
    'The log has `possibly undefined` in it.',
    'Open: the cause is probably a race, not confirmed.',
  ])('is none for a quotation or a suspicion: %s', (sentence) => {
    expect(hedgedSentence([...plain, sentence].join('\n'))).toBeNull();
  });
});

describe('an answer that declines', () => {
  it.each([
    'I apologize, but I cannot help with that.',
    'Sorry, there is no conversation to summarise.',
    "I'm unable to write summaries.",
    'As an AI language model, I have no memory.',
    '## Strategy\nI cannot see any conversation.',
  ])('is short and apologises: %s', (text) => {
    expect(declines(text)).toBe(true);
  });

  it.each(['I fixed the parser; sorry was the name of a variable.', '## Status\nBLOCKED I cannot reach the server.'])(
    'is no summary that tells of work: %s',
    (text) => {
      expect(declines(text)).toBe(false);
    },
  );
});

describe('an answer to the conversation', () => {
  it.each([
    'You’re welcome! Glad that the parser works now.',
    'Let me run the tests first.',
    'I’ll fix the parser and then write the docs.',
    'Ich habe den Parser repariert. Soll ich auch die Tests schreiben?',
    '次はテストを書きますか？',
  ])('announces, or asks at its end: %s', (text) => {
    expect(repliesToConversation(text)).toBe(true);
  });

  it.each([
    'I fixed the parser; its tests pass. I was asked for docs.',
    '## Open Items\nAsked, not answered: which port?',
  ])('is no summary: %s', (text) => {
    expect(repliesToConversation(text)).toBe(false);
  });
});
