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

/** Every agent whose sessions Strata reads. */
export const adapters: readonly SessionAdapter[] = [
  claudeCode,
  codex,
  copilotCli,
  pi,
  strata,
  vscodeChat,
  geminiCli,
  kilo,
  openCode,
  qwenCode,
  cline,
  rooCode,
];

export const lineFormats: readonly LineFormat[] = adapters.filter((adapter) => adapter.kind === 'lines');
export const storeFormats: readonly StoreFormat[] = adapters.filter((adapter) => adapter.kind === 'store');

export function adapterOf(agent: AgentId): SessionAdapter {
  const adapter = adapters.find((candidate) => candidate.agent === agent);
  if (adapter === undefined) throw new Error(`No session adapter for the agent "${agent}"`);
  return adapter;
}
