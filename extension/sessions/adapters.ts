import { claudeCode } from '../agents/claude-code/format/adapter';
import { cline } from '../agents/cline/format/adapter';
import { codex } from '../agents/codex/format/adapter';
import { copilotCli } from '../agents/copilot-cli/format/adapter';
import { geminiCli } from '../agents/gemini-cli/format/adapter';
import { kilo } from '../agents/kilo/format/adapter';
import { openCode } from '../agents/opencode/format/adapter';
import { pi } from '../agents/pi/format/adapter';
import { qwenCode } from '../agents/qwen-code/format/adapter';
import { rooCode } from '../agents/roo-code/format/adapter';
import { vscodeChat } from '../agents/vscode-chat/format/adapter';
import type { LineFormat, SessionAdapter, StoreFormat } from './adapter';
import type { AgentId } from './session';
import { strata } from './strata/adapter';

/**
 * One adapter for each agent. A file belongs to the first line format that recognises it, in this order, so no two formats may
 * recognise the same file.
 */
const adapterByAgent: Readonly<Record<AgentId, SessionAdapter>> = {
  'claude-code': claudeCode,
  codex,
  'copilot-cli': copilotCli,
  pi,
  strata,
  'vscode-chat': vscodeChat,
  'gemini-cli': geminiCli,
  kilo,
  opencode: openCode,
  'qwen-code': qwenCode,
  cline,
  'roo-code': rooCode,
};

export const adapters: readonly SessionAdapter[] = Object.values(adapterByAgent);

export const lineFormats: readonly LineFormat[] = adapters.filter((adapter) => adapter.kind === 'lines');
export const storeFormats: readonly StoreFormat[] = adapters.filter((adapter) => adapter.kind === 'store');

export function adapterOf(agent: AgentId): SessionAdapter {
  return adapterByAgent[agent];
}
