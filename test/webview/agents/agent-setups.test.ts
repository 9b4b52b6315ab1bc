import { describe, expect, it } from 'vitest';
import { AgentSetups } from '../../../webview/state/agents/agent-setups.svelte';
import { testHost } from '../builders/view';
import { agentSetups } from '../harness/agent-setups';

const outcome = { text: 'pi sees Strata’s tools.', isGood: true };

describe('the page of agents', () => {
  it('lists the agents when it is opened, and says what an action came to at its agent', async () => {
    const setups = new AgentSetups(
      testHost({
        'list-agents': async () => agentSetups,
        'check-agent': async () => ({ agents: agentSetups.slice(0, 1), outcome }),
      }).request,
    );
    await setups.open();
    expect(setups.agents).toEqual({ kind: 'ready', value: agentSetups });
    await setups.check('pi');
    expect(setups.outcomes).toEqual({ pi: outcome });
    expect(setups.agents).toEqual({ kind: 'ready', value: agentSetups.slice(0, 1) });
  });

  it('does one thing at a time, and removes the old outcome if a person cancels', async () => {
    let asked = 0;
    const setups = new AgentSetups(
      testHost({
        'check-agent': async () => ({ agents: agentSetups, outcome }),
        'set-up-agent': async () => {
          asked += 1;
          return { agents: agentSetups, outcome: null };
        },
      }).request,
    );
    await setups.check('pi');
    const first = setups.setUp('pi');
    expect(setups.working).toBe('pi');
    await setups.setUp('claude-code');
    await first;
    expect(asked).toBe(1);
    expect(setups.working).toBeNull();
    expect(setups.outcomes).toEqual({});
  });

  it('shows a failure at its agent, and the others can still be set up', async () => {
    const refuse = async () => {
      throw new Error('The disk is full.');
    };
    const setups = new AgentSetups(testHost({ 'set-up-agent': refuse, 'show-setup-file': refuse }).request);
    await setups.setUp('pi');
    await setups.showFile('opencode', '/a');
    const failed = { text: 'The disk is full.', isGood: false };
    expect(setups.outcomes).toEqual({ pi: failed, opencode: failed });
    expect(setups.working).toBeNull();
  });
});
