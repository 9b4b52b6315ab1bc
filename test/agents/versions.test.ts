import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { agentNames } from '../../extension/sessions/session';
import { claudeCode } from './claude-code';
import { cline } from './cline';
import { codex } from './codex';
import { copilotCli } from './copilot-cli';
import { geminiCli } from './gemini-cli';
import { kilo } from './kilo';
import { openCode } from './opencode';
import { pi } from './pi';
import { qwenCode } from './qwen-code';

it('the page of agents names the versions that are tried', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../docs/agents.md'), 'utf8');
  const [, section = ''] = page.split('## Versions that were tried');
  for (const { id, version } of [claudeCode, codex, copilotCli, pi, openCode, kilo, cline, qwenCode, geminiCli]) {
    expect(section).toContain(`| ${agentNames[id]} | ${version}`);
  }
});
