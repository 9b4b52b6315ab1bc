import type { AgentSetupView } from '../../../extension/protocol/agents';

/** One agent for each state. */
export const agentSetups: readonly AgentSetupView[] = [
  {
    agent: 'claude-code',
    name: 'Claude Code',
    folder: '/home/person/.claude',
    state: 'set-up',
    reach: 'Strata carries out the agent’s compactions, at /compact and when its context is full.',
    files: [
      { file: '/home/person/.claude.json', change: 'written' },
      { file: '/home/person/.claude/settings.json', change: 'written' },
    ],
    problem: null,
    canCheck: true,
  },
  {
    agent: 'opencode',
    name: 'OpenCode',
    folder: '/home/person/.config/opencode',
    state: 'other',
    reach: 'Strata carries out the agent’s compactions, at /compact and when its context is full.',
    files: [{ file: '/home/person/.config/opencode/opencode.json', change: 'changed' }],
    problem: null,
    canCheck: true,
  },
  {
    agent: 'pi',
    name: 'pi',
    folder: '/home/person/.pi',
    state: 'none',
    reach: 'Strata carries out the agent’s compactions, at /compact and when its context is full.',
    files: [
      { file: '/home/person/.pi/agent/mcp.json', change: 'new' },
      { file: '/home/person/.pi/agent/settings.json', change: 'changed' },
    ],
    problem: null,
    canCheck: false,
  },
  {
    agent: 'qwen-code',
    name: 'Qwen Code',
    folder: '/home/person/.qwen',
    state: 'none',
    reach: 'The agent writes its own summaries. Strata repeats the pins, and what the summaries left out.',
    files: [],
    problem:
      '/home/person/.qwen/settings.json:3: this is not valid JSON (comma expected), so Strata does not change it.',
    canCheck: false,
  },
];
