import { join } from 'node:path';
import { version } from '../../../package.json';
import { type AgentSetup, mcpServerIn, type PluginSetup, stdioServer } from '../../inside/setup/agent-setup';
import { claudeFolder } from './format/adapter';

const marketplace = {
  name: 'strata',
  description: 'Compaction by Strata',
  owner: { name: 'Strata' },
  plugins: [
    { name: 'strata', source: './strata', description: 'Compaction by Strata: previewed, with pins, and undoable.' },
  ],
};

/** The settings that `claude plugin marketplace add` and `claude plugin install` write for a folder on this machine. */
const plugin: PluginSetup = {
  within: 'strata',
  commandFile: 'hooks/command.js',
  files: { '.claude-plugin/marketplace.json': JSON.stringify(marketplace, null, 2) },
  edits: (place, folder) => {
    const settings = join(claudeFolder(place), 'settings.json');
    const plugins = join(claudeFolder(place), 'plugins');
    const source = { source: 'directory', path: folder };
    const times = { installedAt: since, lastUpdated: since };
    const installed = { scope: 'user', installPath: join(folder, 'strata'), version, ...times };
    return [
      { kind: 'json-value', file: settings, path: ['extraKnownMarketplaces', 'strata'], value: { source } },
      { kind: 'json-value', file: settings, path: ['enabledPlugins', 'strata@strata'], value: true },
      {
        kind: 'json-value',
        file: join(plugins, 'known_marketplaces.json'),
        path: ['strata'],
        value: { source, installLocation: folder, lastUpdated: since },
      },
      { kind: 'json-default', file: join(plugins, 'installed_plugins.json'), path: ['version'], value: 2 },
      {
        kind: 'json-value',
        file: join(plugins, 'installed_plugins.json'),
        path: ['plugins', 'strata@strata'],
        value: [installed],
      },
    ];
  },
};

/** Claude Code requires a time; a fixed one keeps repeated setups identical. */
const since = '2026-01-01T00:00:00.000Z';

export const claudeCodeSetup: AgentSetup = {
  agent: 'claude-code',
  programs: ['claude'],
  folder: claudeFolder,
  // A person's servers are in the file of Claude Code's own state, which it rewrites with every run.
  server: ({ home, variables }, launch) =>
    mcpServerIn(join(variables.CLAUDE_CONFIG_DIR || home, '.claude.json'), stdioServer(launch)),
  plugin,
  check: { expected: /^strata: .*Connected/m },
};
