import { describe, expect, it } from 'vitest';
import { type CoreItem, coreText } from '../../../extension/engine/core/core';
import { emptyJournalState } from '../../../extension/engine/journal/journal-state';
import { coreWithout, overlayOf } from '../../../extension/engine/journal/overlay';
import { agentSummary, assistant, talk, user } from '../../builders/conversation';

const rule: CoreItem = {
  id: 'rule',
  kind: 'constraint',
  text: 'Never touch the database.',
  rationale: null,
  timestamp: '2026-01-01T00:00:00.000Z',
  entryId: null,
  status: 'active',
};
const state = { ...emptyJournalState, items: [rule] };

describe('a core that was written into the session of the agent itself', () => {
  const core = overlayOf(state, talk(user('go'), assistant('yes'))).core;
  if (core === null) throw new Error('no core');
  const summary = agentSummary(`What was said so far.\n\n${coreText(core)}\n\nAnd more.`);

  it('does not repeat a core that was written into the agent’s own session', () => {
    expect(overlayOf(state, talk(summary, user('go'), assistant('yes'))).core).toBeNull();
  });

  it('states the core again once a block covers the text of the session', () => {
    const conversation = talk(summary, user('go'), assistant('yes'));
    const [first] = conversation.agentContext;
    expect(coreWithout(state, conversation, new Set(), [first?.id ?? ''])?.hard_constraints).toHaveLength(1);
  });

  it('states the core again once it differs from the one in the session', () => {
    const more = { ...state, items: [rule, { ...rule, id: 'other', text: 'Nor the network.' }] };
    expect(overlayOf(more, talk(summary, user('go'), assistant('yes'))).core?.hard_constraints).toHaveLength(2);
  });

  it('states the core although a person quotes it', () => {
    expect(overlayOf(state, talk(user(coreText(core)), assistant('yes'))).core).not.toBeNull();
  });
});
