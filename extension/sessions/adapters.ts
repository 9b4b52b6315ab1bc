import type { LineFormat, SessionAdapter, StoreFormat } from './adapter';
import { claudeCode } from './claude-code/adapter';
import { cline } from './cline/adapter';
import { codex } from './codex/adapter';
import { copilotCli } from './copilot-cli/adapter';
import { geminiCli } from './gemini-cli/adapter';
import { kilo } from './kilo/adapter';
import { openCode } from './opencode/adapter';
import { pi } from './pi/adapter';
import { qwenCode } from './qwen-code/adapter';
import { rooCode } from './roo-code/adapter';
import type { AgentId } from './session';
import { strata } from './strata/adapter';
import { vscodeChat } from './vscode-chat/adapter';

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
