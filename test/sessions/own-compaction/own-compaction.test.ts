import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { agentThreshold } from '../../../extension/inspection/agent-threshold';
import { readAgentSettings } from '../../../extension/sessions/own-compaction/settings';
import type { AgentId } from '../../../extension/sessions/session';
import { temporaryFolders } from '../temporary';

const temporary = temporaryFolders();
let root = '';
beforeEach(() => {
  root = temporary();
});

function put(path: string, text: string): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

type Variables = Readonly<Record<string, string>>;

const read = (agent: AgentId, variables: Variables = {}) =>
  readAgentSettings(
    { agent, cwd: join(root, 'work') },
    { home: join(root, 'home'), variables, systemFolder: join(root, 'etc') },
  );

/** The line on the gauge of a session without compactions: its tokens, and the file that sets it. */
async function lineOf(agent: AgentId, contextWindow: number, model: string | null = null, variables: Variables = {}) {
  const { files: settings } = await read(agent, variables);
  const threshold = agentThreshold({
    session: { agent, model },
    conversation: { agentCompactions: [] },
    ownCompaction: { settings, earlierSession: null, variables },
    contextWindow,
  });
  if (threshold?.from !== 'settings') return [threshold?.tokens, threshold?.from];
  return [threshold.tokens, threshold.file?.slice(root.length + 1)];
}

describe('the size at which Claude Code compacts by itself', () => {
  it('the size at which Claude Code compacts by itself is a share of the window that settings name, at most the default', async () => {
    put('home/.claude/settings.json', '{ "env": { "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "60" } }');
    expect(await lineOf('claude-code', 200_000)).toEqual([108_000, 'home/.claude/settings.json']);
    put('home/.claude/settings.json', '{ "env": { "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "99" } }');
    expect(await lineOf('claude-code', 200_000)).toEqual([167_000, 'default']);
  });

  it('the size at which Claude Code compacts by itself depends on the window that is set for all models, or for this one', async () => {
    put('home/.claude/settings.json', '{ "autoCompactWindow": 400000 }');
    expect(await lineOf('claude-code', 1_000_000, 'claude-opus-5-5')).toEqual([367_000, 'home/.claude/settings.json']);
    put(
      'work/.claude/settings.local.json',
      '{ "modelSettings": { "claude-opus-5-5": { "autoCompactWindow": 300000 }, "claude-sonnet-5": { "autoCompactWindow": 100000 } } }',
    );
    expect(await lineOf('claude-code', 1_000_000, 'claude-opus-5-5-20260901')).toEqual([
      267_000,
      'work/.claude/settings.local.json',
    ]);
    expect(await lineOf('claude-code', 200_000, 'claude-opus-4-1')).toEqual([167_000, 'default']);
  });

  it('the size at which Claude Code compacts by itself is that of the environment, if the settings name no other', async () => {
    const variables = { CLAUDE_CODE_AUTO_COMPACT_WINDOW: '500k' };
    expect(await lineOf('claude-code', 1_000_000, null, variables)).toEqual([467_000, undefined]);
  });

  it('the size at which Claude Code compacts by itself is absent if it is turned off', async () => {
    put('home/.claude.json', '{ "numStartups": 3, "autoCompactEnabled": false, "projects": {} }');
    expect(await lineOf('claude-code', 200_000)).toEqual([null, 'home/.claude.json']);
    put('work/.claude/settings.json', '{ "autoCompactEnabled": true }');
    expect(await lineOf('claude-code', 200_000)).toEqual([167_000, 'default']);
    expect(await lineOf('claude-code', 200_000, null, { DISABLE_AUTO_COMPACT: '1' })).toEqual([null, undefined]);
  });
});

describe('the size at which other agents compact by themselves', () => {
  it('Codex compacts by itself at its limit, at most nine tenths of the window', async () => {
    expect(await lineOf('codex', 258_400)).toEqual([244_800, 'default']);
    put(
      'home/.codex/config.toml',
      'model = "gpt-6-sol"\nmodel_auto_compact_token_limit = 120000\n\n[tui]\ntheme = "x"\n',
    );
    expect(await lineOf('codex', 258_400)).toEqual([120_000, 'home/.codex/config.toml']);
    put('work/.codex/config.toml', 'model_auto_compact_token_limit = 900000\n');
    expect(await lineOf('codex', 258_400)).toEqual([244_800, 'default']);
  });

  it('pi compacts by itself when only what it reserves is left, for all models or for this one', async () => {
    put('home/.pi/agent/settings.json', '{ "compaction": { "reserveTokens": 50000 } }');
    expect(await lineOf('pi', 200_000, 'm')).toEqual([150_000, 'home/.pi/agent/settings.json']);
    put('work/.pi/settings.json', '{ "compaction": { "modelOverrides": { "local/m": { "reserveTokens": 20000 } } } }');
    expect(await lineOf('pi', 200_000, 'm')).toEqual([180_000, 'work/.pi/settings.json']);
    put('work/.pi/settings.json', '{ "compaction": { "enabled": false } }');
    expect(await lineOf('pi', 200_000, 'm')).toEqual([null, 'work/.pi/settings.json']);
  });

  it('Gemini CLI and Qwen Code compact by themselves at a share of the window', async () => {
    expect(await lineOf('gemini-cli', 1_048_576)).toEqual([524_288, 'default']);
    put('home/.gemini/settings.json', '// mine\n{ "model": { "compressionThreshold": 0.2 } }');
    expect(await lineOf('gemini-cli', 1_000_000)).toEqual([200_000, 'home/.gemini/settings.json']);
    put('home/.gemini/settings.json', '{ "chatCompression": { "contextPercentageThreshold": 0.6 } }');
    expect(await lineOf('gemini-cli', 1_000_000)).toEqual([600_000, 'home/.gemini/settings.json']);
    expect(await lineOf('qwen-code', 1_000_000)).toEqual([850_000, 'default']);
    expect(await lineOf('qwen-code', 131_072)).toEqual([98_072, 'default']);
    put('home/.qwen/settings.json', '{ "context": { "autoCompactThreshold": 0.5 } }');
    expect(await lineOf('qwen-code', 1_000_000)).toEqual([500_000, 'home/.qwen/settings.json']);
  });

  it('the size at which OpenCode compacts by itself is known if its settings have the limits of the model', async () => {
    expect(await lineOf('opencode', 200_000, 'm')).toEqual([undefined, undefined]);
    const limits = (limit: string) => `{ "provider": { "local": { "models": { "m": { "limit": ${limit} } } } }, }`;
    put('work/opencode.jsonc', limits('{ "context": 128000, "output": 8000 }'));
    expect(await lineOf('opencode', 128_000, 'm')).toEqual([120_000, 'work/opencode.jsonc']);
    put('work/opencode.jsonc', limits('{ "context": 200000, "input": 180000, "output": 64000 }'));
    expect(await lineOf('opencode', 200_000, 'm')).toEqual([160_000, 'work/opencode.jsonc']);
    put('home/.config/opencode/opencode.json', '{ "compaction": { "auto": false } }');
    expect(await lineOf('opencode', 200_000, 'm')).toEqual([null, 'home/.config/opencode/opencode.json']);
  });
});

it('the size that the organisation sets wins over a person’s settings', async () => {
  put('home/.claude/settings.json', '{ "autoCompactWindow": 150000 }');
  put('etc/claude-code/managed-settings.json', '{ "autoCompactWindow": 100000 }');
  expect(await lineOf('claude-code', 200_000)).toEqual([67_000, 'etc/claude-code/managed-settings.json']);
  put('etc/qwen-code/settings.json', '{ "context": { "autoCompactThreshold": 0.4 } }');
  expect(await lineOf('qwen-code', 1_000_000)).toEqual([400_000, 'etc/qwen-code/settings.json']);
});

it('reads the other settings files if one is broken, and says which', async () => {
  put('home/.claude/settings.json', '{ "autoCompactWindow": 4000');
  put('work/.claude/settings.json', '{ "autoCompactWindow": 150000 }');
  put('work/.claude/settings.local.json', '[]');
  put('home/.codex/config.toml', 'model = \n');
  const { issues } = await read('claude-code');
  expect(issues.map(({ message }) => String(message).slice(root.length + 1))).toEqual(
    [
      'home/.claude/settings.json was not read (CloseBraceExpected)',
      'work/.claude/settings.local.json was not read (no object)',
    ].map((text) => text),
  );
  expect(await lineOf('claude-code', 200_000)).toEqual([117_000, 'work/.claude/settings.json']);
  expect((await read('codex')).issues).toHaveLength(1);
  expect(await lineOf('codex', 258_400)).toEqual([244_800, 'default']);
});
