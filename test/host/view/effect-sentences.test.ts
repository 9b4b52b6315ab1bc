import { describe, expect, it } from 'vitest';
import { effectSentences } from '../../../extension/host/view/effect-sentences';

const sentencesOf = (agent: string, isStrataInside = false) =>
  effectSentences({ session: { agent }, isStrataInside } as never);

describe('what a compaction does to the agent, before it is applied', () => {
  it.each([
    ['strata', false, 'Takes effect with the next message of this conversation.'],
    ['cline', true, 'Takes effect in Cline with its next request.'],
    ['pi', true, 'Takes effect in pi when it compacts next: /compact.'],
    ['copilot-cli', true, 'Takes effect in Copilot CLI with /strata compact there. Its own compaction stays as it is.'],
    ['codex', false, 'Takes effect in a fork: Codex itself continues with its own context.'],
    [
      'claude-code',
      false,
      'Takes effect in a fork: Claude Code itself continues with its own context, unless Strata is set up there.',
    ],
    [
      'opencode',
      false,
      'Has no effect in OpenCode unless Strata is set up there. A handoff can continue with fewer tokens.',
    ],
    [
      'kilo',
      false,
      'Has no effect in Kilo Code: Strata cannot write its sessions. A handoff can continue with fewer tokens.',
    ],
  ])('of %s, inside: %s', (agent, isInside, sentence) => {
    expect(sentencesOf(agent, isInside).compaction).toBe(sentence);
  });

  it('says that a pin stays only if Strata makes each compaction, and offers to set it up elsewhere', () => {
    const stays = /^(Pins stay in the context|Strata is inside)/;
    expect(sentencesOf('strata').pins).toMatch(stays);
    expect(sentencesOf('claude-code', true).pins).toMatch(stays);
    expect(sentencesOf('copilot-cli', true).pins).not.toMatch(stays);
    expect(sentencesOf('claude-code').pins).toContain('may drop them');
    expect(sentencesOf('claude-code').canSetUp).toBe(true);
    expect(sentencesOf('claude-code', true).canSetUp).toBe(false);
    expect(sentencesOf('codex').canSetUp).toBe(false);
  });
});
