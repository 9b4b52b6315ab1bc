import { claudeCodeSetup } from '../claude-code/setup';
import { clineSetup } from '../cline/setup';
import { codexSetup } from '../codex/setup';
import { copilotCliSetup } from '../copilot-cli/setup';
import { geminiCliSetup } from '../gemini-cli/setup';
import { openCodeSetup } from '../opencode/setup';
import { piSetup } from '../pi/setup';
import { qwenCodeSetup } from '../qwen-code/setup';
import type { AgentSetup } from './agent-setup';

/** The agents that Strata can be set up in. */
export const agentSetups: readonly AgentSetup[] = [
  claudeCodeSetup,
  codexSetup,
  copilotCliSetup,
  openCodeSetup,
  clineSetup,
  qwenCodeSetup,
  geminiCliSetup,
  piSetup,
];
