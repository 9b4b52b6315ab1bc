import { describe, expect, it } from 'vitest';
import { findRows } from '../../extension/host/view/find-rows';
import { assistant, call, long, result, talk, user } from '../builders/conversation';
import { excluding } from '../builders/exclusion';
import { contextOf, emptyState } from '../builders/run';

const conversation = talk([
  user('Read the loader'),
  call('a', 'read', { path: 'src/loader.ts' }),
  result('a', `${long('Lines of the file.', 300)} SUMMARY_PREFIX at the end`),
  assistant('It has a lobotomized parser.'),
  user('Next'),
  assistant('Done.'),
]);

const search = (words: string, state = emptyState) =>
  findRows(words, { messages: contextOf(conversation, state).messages, conversation }, () => true);

describe('a search in the full text of rows', () => {
  it('finds text far into a result and gives the row of its call', async () => {
    expect(await search('summary_prefix')).toEqual(['e2#a']);
  });

  it('requires all words, in any order and case', async () => {
    expect(await search('PARSER lobotomized')).toEqual(['e4']);
    expect(await search('parser nowhere')).toEqual([]);
    expect(await search('  ')).toEqual([]);
  });

  it('finds a block by the entries it replaced', async () => {
    const state = await excluding(conversation, 'e1', emptyState);
    expect(await search('lobotomized', state)).toEqual([`block:${state.lastSeq}`]);
  });

  it('stops when it is no longer wanted', async () => {
    const { messages } = contextOf(conversation);
    expect(await findRows('done', { messages, conversation }, () => false)).toEqual([]);
  });
});
