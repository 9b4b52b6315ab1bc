import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Agent } from '../agent';
import { claudeCode } from '../claude-code';
import { cline } from '../cline';
import { codex } from '../codex';
import { copilotCli } from '../copilot-cli';
import { geminiCli } from '../gemini-cli';
import { install } from '../install';
import { openCode } from '../opencode';
import { pi } from '../pi';
import { qwenCode } from '../qwen-code';
import { setUpInside } from './plugged';

/** Tests of `strata setup` and `--remove` with the real agents, in homes with configuration that a person wrote. */

interface HandWritten {
  readonly agent: Agent;
  /** The agent's folder, and files in it by path from there. */
  readonly folder: string;
  readonly files: Readonly<Record<string, string>>;
}

const own = '{"mcpServers":{ "mine" : {"command": "true"}\n   } ,"other":1}';
const ownHook = '{ "type": "command", "command": "true" }';

const homes: readonly HandWritten[] = [
  {
    agent: claudeCode,
    folder: '.claude',
    files: {
      '.claude.json': '{"numStartups": 3,\n   "mcpServers": {} }',
      'settings.json': `{\n\t"hooks": {"Stop": [{"hooks": [${ownHook}]}]}, "includeCoAuthoredBy" : false}`,
    },
  },
  {
    agent: codex,
    folder: '.codex',
    files: {
      'config.toml': 'model = "mine" # my own\n\n[mcp_servers.mine]\ncommand = "true"\n# the end, without a newline',
      'hooks.json': `{"hooks": {"Stop": [{"hooks": [${ownHook}]}]}}`,
    },
  },
  { agent: copilotCli, folder: '.copilot', files: { 'mcp-config.json': own } },
  {
    agent: openCode,
    folder: '.config/opencode',
    files: { 'opencode.jsonc': '{\r\n  // my own\r\n  "share": "disabled", /* last */ "autoupdate": false,\r\n}' },
  },
  { agent: cline, folder: '.cline', files: { 'data/settings/cline_mcp_settings.json': own } },
  {
    agent: qwenCode,
    folder: '.qwen',
    files: { 'settings.json': `{\n  // my own\n  "hooks": {"Stop": [{"hooks": [${ownHook}]}]},\n "ui": {}}` },
  },
  {
    agent: geminiCli,
    folder: '.gemini',
    files: { 'settings.json': '{\n  // my own\n  "mcpServers": {} , "ui": {}\n}' },
  },
  {
    agent: pi,
    folder: '.pi/agent',
    files: { 'mcp.json': '{"mcpServers":{}}\n', 'settings.json': '{ "packages":[ ] }' },
  },
];

for (const { agent, folder, files } of homes) {
  const ready = await install(agent);
  describe(`strata setup in ${agent.id} ${ready.kind === 'installed' ? ready.version : agent.version}`, () => {
    it('is seen by the agent itself, and leaves every byte of a person as it was', async (test) => {
      const written = Object.entries(files).map(([path, text]) => [join(folder, path), text]);
      const inside = await setUpInside({ agent: { ...agent, files: () => Object.fromEntries(written) } });
      if (typeof inside === 'string') return test.skip(inside);
      try {
        expect(inside.told).toContain('lists the server.');
        await inside.strata('setup', agent.id, '--remove', '--yes');
        for (const [path = '', text] of written) {
          expect([path, readFileSync(join(inside.place.home, path), 'utf8')]).toEqual([path, text]);
        }
        const left = readdirSync(join(inside.place.home, folder), { recursive: true, encoding: 'utf8' });
        expect(left.filter((name) => /(?:^|\/)strata/.test(name))).toEqual([]);
      } finally {
        inside.close();
      }
    });
  });
}
