import { claudeCodeSetup } from '../../agents/claude-code/setup';
import { clineSetup } from '../../agents/cline/setup';
import { codexSetup } from '../../agents/codex/setup';
import { copilotCliSetup } from '../../agents/copilot-cli/setup';
import { geminiCliSetup } from '../../agents/gemini-cli/setup';
import { openCodeSetup } from '../../agents/opencode/setup';
import { piSetup } from '../../agents/pi/setup';
import { qwenCodeSetup } from '../../agents/qwen-code/setup';
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
