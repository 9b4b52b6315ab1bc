import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { parse as parseJson } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { claudeCodeSetup } from '../../../extension/agents/claude-code/setup';
import { clineSetup } from '../../../extension/agents/cline/setup';
import { codexSetup } from '../../../extension/agents/codex/setup';
import { copilotCliSetup } from '../../../extension/agents/copilot-cli/setup';
import { geminiCliSetup } from '../../../extension/agents/gemini-cli/setup';
import { openCodeSetup } from '../../../extension/agents/opencode/setup';
import { piSetup } from '../../../extension/agents/pi/setup';
import { qwenCodeSetup } from '../../../extension/agents/qwen-code/setup';
import type { AgentSetup, ConfigurationEdit } from '../../../extension/inside/setup/agent-setup';
import { withEdits, withoutEdits } from '../../../extension/inside/setup/change';
import { AgentConfiguration } from '../../../extension/inside/setup/setup';
import { agentSetups } from '../../../extension/inside/setup/setups';
import { type Home, newHome } from './homes';

const launch = { command: '/usr/bin/node', args: ['/strata.mjs', 'mcp'], env: {} };
const place = { home: '', variables: {} };

/** The agent's configuration file, relative to the home folder. */
function fileOf(setup: AgentSetup): string {
  return setup.server(place, launch).file.replace(/^\//, '');
}

function isToml(file: string): boolean {
  return file.endsWith('.toml');
}

function valuesOf(text: string, file: string): unknown {
  if (!isToml(file)) return parseJson(text.replace(/^\uFEFF/, ''));
  const values = parseToml(text, { integersAsBigInt: 'asNeeded' });
  return JSON.parse(JSON.stringify(values, (_, value) => (typeof value === 'bigint' ? String(value) : value)));
}

async function setUp({ configuration }: Home, setup: AgentSetup): Promise<void> {
  await configuration.carryOut(await configuration.planSetup(setup));
}

async function remove({ configuration }: Home, setup: AgentSetup): Promise<void> {
  await configuration.carryOut(await configuration.planRemoval(setup.agent));
}

/** Configuration as people write it: comments, unusual order, one line, Windows line ends, no newline at the end. */
const handWritten = {
  json: [
    '{}',
    '{ }\n',
    '{\n}\n',
    '{"theme":"dark","mcpServers":{}}',
    '{"mcpServers":{"mine":{"command":"x"}},"mcp":{"mine":{"command":["x"]}}}',
    '{\n  // my own\n  "z": 1, // last things first\n  "mcpServers": {\n    "mine": { "command": "x", "args": ["-y"] } // keep\n  },\n  /* block */ "a": [1,2 ,3]\n}\n',
    '{\r\n\t"a" : true,\r\n\t"mcp": {\r\n\t\t"mine": {"type":"local", "command":["x"]}\r\n\t}\r\n}\r\n',
    '{\n    "mcpServers": {\n    },\n\n    "mcp": {}\n}',
    '\uFEFF{\n  "a": "ü — 漢字 \\u00e9"\n}\n',
    '{\n  "nested": {"deep": {"deeper": [ { "x": null } ]}}\n}',
    '{\n  "a": 1, // trailing comma\n}\n',
  ],
  toml: [
    '',
    '# nothing but a comment',
    'model = "gpt" # mine\n\n[projects."/home/x"]\ntrust_level = "trusted"\n',
    'model = "gpt"\r\n[mcp_servers.mine]\r\ncommand = "x"\r\nargs = ["-y"]',
    '[mcp_servers.mine]\ncommand = "x"\n[mcp_servers.mine.env]\nA = "1"\n\n\n',
    "notes = '''\n[mcp_servers.strata]\nnot a table\n'''\n[[list]]\nx = 1\n[[list]]\nx = 2",
    'when = 2026-01-01T00:00:00Z\nbig = 9007199254740993\n',
  ],
} as const;

const texts = (setup: AgentSetup) => (isToml(fileOf(setup)) ? handWritten.toml : handWritten.json);

describe('setting Strata up in agents', () => {
  it('names the part of Strata that is missing, first the program, then the agent’s plugin', async () => {
    const home = await newHome();
    expect(await home.configuration.missingPart(piSetup)).toBe('/opt/strata/dist/cli/strata.js');
    const built = await newHome(import.meta.filename);
    expect(await built.configuration.missingPart(piSetup)).toMatch(/plugins.pi$/);
    await built.addPlugins();
    expect(await built.configuration.missingPart(piSetup)).toBeNull();
  });

  it('answers only once what it starts is there and says its version', async () => {
    const program = join((await newHome()).home, 'strata.mjs');
    const home = await newHome(program, {}, process.execPath);
    await setUp(home, geminiCliSetup);
    expect(await home.configuration.answers()).toBe(false);
    await writeFile(program, "console.log('1.2.3');\n");
    expect(await home.configuration.answers()).toBe(true);
  });

  for (const setup of agentSetups) {
    const file = fileOf(setup);

    it(`${setup.agent}: leaves every hand-written configuration as it was after its removal, byte for byte`, async () => {
      for (const text of texts(setup)) {
        const home = await newHome();
        await home.write(file, text);
        const before = await home.snapshot();
        await setUp(home, setup);
        const after = await home.read(file);
        expect(after).not.toBe(text);
        const { path, ...edit } = setup.server({ home: home.home, variables: {} }, launch);
        const values = valuesOf(after, file) as Record<string, Record<string, unknown>>;
        expect(values[path[0] ?? '']?.[path[1] ?? '']).toBeDefined();
        delete values[path[0] ?? '']?.[path[1] ?? ''];
        const old = valuesOf(text, file) as Record<string, unknown>;
        expect(values).toEqual({ ...old, [path[0] ?? '']: old[path[0] ?? ''] ?? {} });
        expect(edit.file).toContain(home.home);
        await setUp(home, setup);
        expect(await home.read(file)).toBe(after);
        await remove(home, setup);
        expect(await home.snapshot()).toEqual(before);
      }
    });

    it(`${setup.agent}: leaves no file and no folder that did not exist before`, async () => {
      const home = await newHome();
      const before = await home.snapshot();
      await setUp(home, setup);
      expect(valuesOf(await home.read(file), file)).toMatchObject({});
      await remove(home, setup);
      expect(await home.snapshot()).toEqual(before);
      expect(await home.configuration.installed()).toEqual({});
    });
  }

  it('only inserts text, so that comments, order and line ends stay', () => {
    const property = (text: string, edit: ConfigurationEdit) => {
      const after = withEdits(text, [edit]);
      const start = [...text].findIndex((character, index) => [...after][index] !== character);
      const kept = after.length - text.length;
      const at = start < 0 ? text.length : [...text].slice(0, start).join('').length;
      expect(after.slice(0, at) + after.slice(at + kept)).toBe(text);
      expect(withoutEdits(after, [edit], { before: text, after })).toBe(text);
    };
    for (const text of handWritten.json) property(text, claudeCodeSetup.server(place, launch));
    for (const text of handWritten.toml.slice(1)) property(text, codexSetup.server(place, launch));
  });

  it('restores any JSON configuration, whatever the agents that are set up and removed in between', async () => {
    const document = fc
      .dictionary(fc.stringMatching(/^[a-z]{1,6}$/), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 5 })
      .chain((value) => fc.constantFrom(0, 2, '\t').map((indent) => JSON.stringify(value, null, indent)));
    const acts = fc.array(fc.tuple(fc.constantFrom(...agentSetups), fc.boolean()), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(document, acts, async (text, steps) => {
        const home = await newHome();
        for (const setup of agentSetups) if (!isToml(fileOf(setup))) await home.write(fileOf(setup), text);
        const before = await home.snapshot();
        const blocked = agentSetups.filter((setup) => isBlocked(text, setup));
        for (const [setup, isSetUp] of steps) {
          if (isSetUp && !blocked.includes(setup)) await setUp(home, setup);
          else await remove(home, setup);
        }
        for (const setup of agentSetups) await remove(home, setup);
        expect(await home.snapshot()).toEqual(before);
      }),
      { numRuns: 30 },
    );
  }, 60_000);

  it('keeps what a person, or the agent, wrote in between, and removes only its own part', async () => {
    const home = await newHome();
    await home.write('.claude.json', '{\n  "numStartups": 3\n}\n');
    await setUp(home, claudeCodeSetup);
    const state = JSON.parse(await home.read('.claude.json'));
    await home.write('.claude.json', JSON.stringify({ ...state, numStartups: 4, userID: 'x' }, null, 2));
    await remove(home, claudeCodeSetup);
    expect(await home.read('.claude.json')).toBe(JSON.stringify({ numStartups: 4, userID: 'x' }, null, 2));

    await home.write('.codex/config.toml', 'model = "a"\n');
    await setUp(home, codexSetup);
    const toml = await home.read('.codex/config.toml');
    await home.write('.codex/config.toml', `# new\n${toml}\n[projects."/x"]\ntrust_level = "trusted"\n`);
    await remove(home, codexSetup);
    expect(await home.read('.codex/config.toml')).toBe(
      '# new\nmodel = "a"\n\n[projects."/x"]\ntrust_level = "trusted"\n',
    );

    await home.write('.codex/config.toml', 'model = "a"\n');
    await setUp(home, codexSetup);
    const rewritten = (await home.read('.codex/config.toml')).replace('command', 'enabled = true\ncommand');
    await home.write(
      '.codex/config.toml',
      `${rewritten}[mcp_servers.strata.tools.x]\napproval = "never"\n[after]\ny = 1\n`,
    );
    await remove(home, codexSetup);
    expect(parseToml(await home.read('.codex/config.toml'))).toEqual({ model: 'a', after: { y: 1 } });

    await home.write('.gemini/settings.json', '{"a": 1}');
    await setUp(home, geminiCliSetup);
    const values = parseJson(await home.read('.gemini/settings.json'));
    values.mcpServers.mine = { command: 'x' };
    await home.write('.gemini/settings.json', JSON.stringify(values));
    await remove(home, geminiCliSetup);
    expect(JSON.parse(await home.read('.gemini/settings.json'))).toEqual({
      a: 1,
      mcpServers: { mine: { command: 'x' } },
    });
  });

  it('writes through a symbolic link, and keeps link and access rights', async () => {
    const home = await newHome();
    await home.write('dotfiles/claude.json', '{ "a": 1 }');
    await chmod(join(home.home, 'dotfiles/claude.json'), 0o640);
    await home.link('.claude.json', 'dotfiles/claude.json');
    await home.link('.copilot/mcp-config.json', '../dotfiles/not-yet.json');
    const before = await home.snapshot();
    for (const setup of [claudeCodeSetup, copilotCliSetup]) await setUp(home, setup);
    const during = await home.snapshot();
    expect(during['.claude.json']).toBe(before['.claude.json']);
    expect(await home.read('dotfiles/claude.json')).toContain('strata.mjs');
    expect(await home.read('dotfiles/not-yet.json')).toContain('strata.mjs');
    expect(during['dotfiles/claude.json']).toMatch(/^100640 /);
    for (const setup of [claudeCodeSetup, copilotCliSetup]) await remove(home, setup);
    expect(await home.snapshot()).toEqual(before);
  });
});

/** The person's own entry has the place that Strata's would have. */
function isBlocked(text: string, setup: AgentSetup): boolean {
  const edit = setup.server(place, launch);
  if (isToml(edit.file)) return false;
  const outer: unknown = JSON.parse(text)[edit.path[0] ?? ''];
  return outer !== undefined && (typeof outer !== 'object' || outer === null || Array.isArray(outer));
}

describe('a configuration that Strata cannot change', () => {
  const refused: readonly [AgentSetup, string, RegExp][] = [
    [claudeCodeSetup, '{\n  "a": 1\n  "b": 2\n}', /\.claude\.json:3: this is not valid JSON/],
    [claudeCodeSetup, '[1]', /\.claude\.json:1: this is not valid JSON/],
    [claudeCodeSetup, '{"mcpServers": "none"}', /\.claude\.json: mcpServers is not an object/],
    [claudeCodeSetup, '{"mcpServers": {"strata": {}}}', /has mcpServers\.strata already, and Strata did not write it/],
    [codexSetup, 'a = 1\nb = = 2\n', /config\.toml:2: this is not valid TOML/],
    [
      codexSetup,
      'mcp_servers = { mine = { command = "x" } }\n',
      /cannot be added, because a part of it is written inline/,
    ],
    [codexSetup, '[mcp_servers.strata]\ncommand = "x"\n', /has mcp_servers\.strata already/],
  ];
  for (const [setup, text, message] of refused) {
    it(`stays as it is, and the message names file and line: ${JSON.stringify(text)}`, async () => {
      const home = await newHome();
      await home.write(fileOf(setup), text);
      const before = await home.snapshot();
      await expect(setUp(home, setup)).rejects.toThrow(message);
      expect(await home.snapshot()).toEqual(before);
    });
  }

  it('is named if it cannot be written, and what was written before it is put back', async () => {
    const home = await newHome();
    // Even an administrator cannot write a file below a file.
    await home.write('.copilot', 'a file where the folder should be');
    const before = await home.snapshot();
    await expect(setUp(home, copilotCliSetup)).rejects.toThrow(
      /mcp-config\.json cannot be (?:written|read) \(ENOTDIR\)/,
    );
    expect(await home.snapshot()).toEqual(before);
    await mkdir(join(home.home, '.claude.json'));
    await expect(setUp(home, claudeCodeSetup)).rejects.toThrow(/\.claude\.json cannot be (?:written|read) \(EISDIR\)/);
    expect(await home.configuration.installed()).toEqual({});
  });
});

describe('the plugin of an agent', () => {
  it('is copied to a lasting place, gets the command that starts Strata, and is named in the configuration until its removal', async () => {
    const home = await newHome();
    await home.addPlugins();
    await home.write('.claude/settings.json', '{"theme": "dark"}');
    await home.write('.claude/plugins/installed_plugins.json', '{"version": 2, "plugins": {"mine@x": []}}');
    await home.write('.pi/agent/settings.json', '{ "packages": ["npm:x"] }\n');
    const before = await home.snapshot();
    for (const setup of [claudeCodeSetup, piSetup]) await setUp(home, setup);
    const settings = JSON.parse(await home.read('.claude/settings.json'));
    expect(settings).toMatchObject({ theme: 'dark', enabledPlugins: { 'strata@strata': true } });
    const folder = settings.extraKnownMarketplaces.strata.source.path;
    expect(JSON.parse(await readFile(join(folder, '.claude-plugin/marketplace.json'), 'utf8')).name).toBe('strata');
    expect(await readFile(join(folder, 'strata/hooks/command.js'), 'utf8')).toMatch(
      /command = \["\/usr\/bin\/node",".*strata\.mjs"\];/,
    );
    expect(await readFile(join(folder, 'strata/hooks/register.js'), 'utf8')).toBe('// as built\n');
    const installed = JSON.parse(await home.read('.claude/plugins/installed_plugins.json'));
    expect(Object.keys(installed.plugins)).toEqual(['mine@x', 'strata@strata']);
    expect(installed.plugins['strata@strata'][0].installPath).toBe(join(folder, 'strata'));
    const { packages } = JSON.parse(await home.read('.pi/agent/settings.json'));
    expect(packages).toEqual(['npm:x', join(folder, '../pi')]);
    for (const setup of [claudeCodeSetup, piSetup]) await remove(home, setup);
    expect(await home.snapshot()).toEqual(before);
    await expect(readFile(join(folder, 'strata/hooks/register.js'), 'utf8')).rejects.toThrow('ENOENT');
  });
});

describe('the plugin of an agent that looks for files', () => {
  it('is named in OpenCode by its address, and hand-written lines stay', async () => {
    const home = await newHome();
    await home.addPlugins();
    await home.write('.config/opencode/opencode.jsonc', '{\n  // mine\n  "plugin": ["mine"]\n}');
    const before = await home.snapshot();
    await setUp(home, openCodeSetup);
    const text = await home.read('.config/opencode/opencode.jsonc');
    expect(text).toContain('// mine');
    const [mine, ours] = parseJson(text).plugin;
    expect(mine).toBe('mine');
    expect(await readFile(new URL(ours), 'utf8')).toBe('// as built\n');
    await remove(home, openCodeSetup);
    expect(await home.snapshot()).toEqual(before);
  });

  it('is a package in the folder of plugins of Cline, which leads to the copy', async () => {
    const home = await newHome();
    await home.addPlugins();
    const before = await home.snapshot();
    await setUp(home, clineSetup);
    const { cline } = JSON.parse(await home.read('.cline/plugins/strata/package.json'));
    expect(await readFile(cline.plugins[0].paths[0], 'utf8')).toBe('// as built\n');
    await remove(home, clineSetup);
    expect(await home.snapshot()).toEqual(before);
  });

  it.skipIf(process.platform === 'win32')('is started by the Node.js of an editor if there is no other', async () => {
    const home = await newHome('/opt/strata.js', { ELECTRON_RUN_AS_NODE: '1' });
    await home.addPlugins();
    await setUp(home, codexSetup);
    const [{ hooks }] = JSON.parse(await home.read('.codex/hooks.json')).hooks.SessionStart;
    expect(hooks[0].command).toMatch(
      /^"\/usr\/bin\/env" "ELECTRON_RUN_AS_NODE=1" "\/usr\/bin\/node" ".*say-again\.js" "codex"$/,
    );
    const words = await home.read('.local/share/strata/agents/plugins/codex/command.js');
    expect(words).toContain('["/usr/bin/env","ELECTRON_RUN_AS_NODE=1","/usr/bin/node",');
    await remove(home, codexSetup);
    expect(await home.configuration.installed()).toEqual({});
  });

  it('is an extension of Copilot that loads the copy, and is refused if another extension has its name', async () => {
    const home = await newHome();
    await home.addPlugins();
    const extension = '.copilot/extensions/strata/extension.mjs';
    const before = await home.snapshot();
    await setUp(home, copilotCliSetup);
    await setUp(home, copilotCliSetup);
    const [, address = ''] = /import\("(.*)"\)/.exec(await home.read(extension)) ?? [];
    expect(await readFile(new URL(address), 'utf8')).toBe('// as built\n');
    await remove(home, copilotCliSetup);
    expect(await home.snapshot()).toEqual(before);
    await home.write(extension, 'export const mine = 1;\n');
    await expect(setUp(home, copilotCliSetup)).rejects.toThrow(/extension\.mjs already exists/);
    expect(await home.read(extension)).toBe('export const mine = 1;\n');
  });
});

describe('the check by the agent itself', () => {
  const checkedBy = async (home: Home, script: string) => {
    const program = join(home.home, '.local/qwen');
    await home.write('.local/qwen', `#!/bin/sh\n${script}\n`);
    await chmod(program, 0o755);
    return await home.configuration.check({ setup: qwenCodeSetup, program }, home.home);
  };

  it('keeps what a person wrote before a check, and takes what the agent wrote in it for its own', async () => {
    const home = await newHome();
    const file = '.qwen/settings.json';
    await home.write(file, '{}\n');
    await setUp(home, qwenCodeSetup);
    await checkedBy(home, `printf ' ' >> "${join(home.home, file)}"; echo "strata: node mcp - Connected"`);
    await remove(home, qwenCodeSetup);
    expect(await home.read(file)).toBe('{}\n');
    await setUp(home, qwenCodeSetup);
    await home.write(file, (await home.read(file)).replace('{', '{\n  "theme": "dark",'));
    await checkedBy(home, 'echo "strata: node mcp - Connected"');
    await remove(home, qwenCodeSetup);
    expect(parseJson(await home.read(file))).toMatchObject({ theme: 'dark' });
  });

  it('says whether the agent sees the server, and what it said if not', async () => {
    const home = await newHome();
    expect(await checkedBy(home, 'echo "strata: node mcp - Connected"')).toEqual({ kind: 'seen' });
    expect(await checkedBy(home, 'echo "No servers: $1 $2"')).toEqual({
      kind: 'not-seen',
      command: 'qwen mcp list',
      output: 'No servers: mcp list',
    });
    expect(await home.configuration.check({ setup: clineSetup, program: null }, home.home)).toEqual({
      kind: 'not-checked',
    });
  });

  it('may rewrite the configuration, which the removal restores all the same', async () => {
    const home = await newHome();
    await home.write('.qwen/settings.json', '{"a":1}');
    const before = await home.snapshot();
    await setUp(home, qwenCodeSetup);
    const file = join(home.home, '.qwen/settings.json');
    await checkedBy(home, `sed -i 's/"a":1/"a": 1, "\\$version": 4/' '${file}'; echo "strata: x Connected"`);
    expect(await home.read('.qwen/settings.json')).toContain('"$version": 4');
    await remove(home, qwenCodeSetup);
    expect(await home.snapshot()).toEqual(before);
  });
});

describe('the launcher', () => {
  it('stays where it is when Strata moves, so that configurations stay true', async () => {
    const home = await newHome('/old/strata.js');
    await setUp(home, claudeCodeSetup);
    const { args } = JSON.parse(await home.read('.claude.json')).mcpServers.strata;
    expect(args.slice(1)).toEqual(['--agent', 'claude-code', 'mcp']);
    expect(await readFile(args[0], 'utf8')).toContain('file:///old/strata.js');
    await remove(home, claudeCodeSetup);
    await expect(readFile(args[0], 'utf8')).rejects.toThrow('ENOENT');
  });
});

it('knows whether what is set up starts this Strata or another one', async () => {
  const home = await newHome();
  await home.write('.codex/config.toml', '');
  expect(await home.configuration.startsThis()).toBe(false);
  await setUp(home, codexSetup);
  expect(await home.configuration.startsThis()).toBe(true);
  const updated = new AgentConfiguration({
    environment: { home: home.home, variables: {} },
    program: { node: '/usr/bin/node', variables: {}, file: '/opt/newer/dist/cli/strata.js' },
    plugins: join(home.home, 'plugins'),
    allProjects: false,
  });
  expect(await updated.startsThis()).toBe(false);
  await updated.refresh();
  expect(await updated.startsThis()).toBe(true);
});
