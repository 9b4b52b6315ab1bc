import { expect, it } from 'vitest';
import { toolCalls } from '../../extension/engine/conversation/entry';
import type { Agent } from './agent';
import { beforeNewestReply, sentIn, shownIn } from './compare';
import type { Laboratory } from './laboratory';
import { begin } from './story';

const minutes = 60_000;

/** Whether this agent has a tool that starts a subagent. */
export function delegates(agent: Agent): boolean {
  return agent.tools({ home: '/', folder: '/', address: '' }).delegate !== undefined;
}

export function describeSubagents(agent: Agent, laboratory: () => Laboratory): void {
  it(
    'has a subagent as a conversation of its own, linked to the call that started it',
    async () => {
      const { after, exchanges } = await begin(laboratory(), agent.prompt('TOOLS=1 SUBAGENT let another look'));
      const [call] = after.conversation.entries.flatMap(({ parts }) => toolCalls(parts));
      const [subagent] = after.subagents;
      expect(after.subagents).toHaveLength(1);
      expect(subagent?.callId).toBe(call?.callId);
      const own = await laboratory().open(subagent?.file ?? '');
      const newest = exchanges.filter(({ reply }) => reply.purpose === 'subagent').at(-1);
      expect(shownIn(agent, beforeNewestReply(own.conversation.agentContext))).toEqual(newest && sentIn(agent, newest));
    },
    5 * minutes,
  );
}
