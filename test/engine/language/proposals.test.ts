import { describe, expect, it } from 'vitest';
import type { CoreItem } from '../../../extension/engine/core/core';
import { newProposals, proposalsFromSentences } from '../../../extension/engine/language/proposals';
import { assistant, injected, result, type Said, talk, user } from '../../builders/conversation';

function proposed(...said: Said[]): string[] {
  return proposalsFromSentences(talk(said).entries).map(({ kind, text, entryId }) => `${entryId} ${kind}: ${text}`);
}

describe('proposals for the core', () => {
  it('proposals for the core come from sentences of the user that demand, forbid or state the goal', () => {
    expect(proposed(user('The goal is a parser for TOML. Never touch legacy/. Please read the file first.'))).toEqual([
      'e1 goal: The goal is a parser for TOML.',
      'e1 constraint: Never touch legacy/.',
    ]);
  });

  it('proposals for the core come from sentences of either side that settle something', () => {
    expect(proposed(user("Let's go with SQLite."), assistant('I am now committing to one table per agent.'))).toEqual([
      "e1 decision: Let's go with SQLite.",
      'e2 decision: I am now committing to one table per agent.',
    ]);
  });

  it('proposals for the core do not come from questions, tool output, reminders or demands by the agent', () => {
    expect(
      proposed(
        user('Must it always be TOML?'),
        injected('You must never stop.'),
        result('a', 'Never run this as root.'),
        assistant('It must never be null.'),
      ),
    ).toEqual([]);
  });

  it('proposals for the core do not come from pasted text', () => {
    const pasted = [
      'it must run on Windows',
      '',
      'Error: 400 {"message":"messages.6: `tool_use`',
      'ids were found without `tool_result` blocks. Each',
      '`tool_use` block must have a corresponding block in the next message."}',
      '> app@1.0.0 check must pass',
    ];
    expect(proposed(user(pasted.join('\n')))).toEqual(['e1 constraint: it must run on Windows']);
  });

  it('proposals for the core are made once, and not after a person refused them', () => {
    const proposals = proposalsFromSentences(talk(user('Never touch legacy/.'), user('never  touch legacy/.')).entries);
    expect(newProposals(proposals, [])).toHaveLength(1);
    const refused: CoreItem = {
      id: 'x',
      kind: 'constraint',
      text: 'Never touch legacy/.',
      rationale: null,
      timestamp: '',
      entryId: null,
      status: 'refused',
    };
    expect(newProposals(proposals, [refused])).toEqual([]);
  });
});
