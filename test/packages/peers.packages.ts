import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { countWithO200k } from '../../extension/engine/conversation/tokenizer';
import { manifests } from '../../scripts/packages/manifests';
import { type AgentServer, startAgentServer } from '../agents/server/server';
import { withServers } from '../conversations/stores/with-servers';
import { installPackages, linkPackages, lockedPackages } from './installed';
import oldest from './peers/oldest/package.json';
import { expectWorked, turns } from './worked';

/** Tests of the packed library with the oldest and the newest version of each package that it works with. */

const run = promisify(execFile);

const frameworks = [
  ...['ai', '@ai-sdk/openai', 'langchain', '@langchain/core', '@langchain/langgraph', '@langchain/openai', 'zod'],
];
const others = ['@electric-sql/pglite', 'pg', 'redis', 'gpt-tokenizer', '@opentelemetry/api'];

/**
 * An empty project with the library and the packages of one of the sets. Packages that the set lacks have their newest
 * version.
 */
async function projectWith(set: string, names: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'strata-peers-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await installPackages(folder, ['library']);
  if (set !== 'newest') await linkPackages(folder, names, await lockedPackages(`peers/${set}`));
  await linkPackages(folder, [...frameworks, ...others]);
  for (const file of ['platforms/program.js', 'platforms/command.js', 'peers/peers.js'])
    await cp(join(import.meta.dirname, file), join(folder, file.replace(/^.*\//, '')));
  return folder;
}

async function printed(folder: string, ...commandLine: readonly string[]): Promise<unknown> {
  const { stdout } = await run(process.execPath, commandLine, { cwd: folder });
  // PGlite 0.2 prints where it runs, so only the last line is the result.
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}

let server: AgentServer;

beforeEach(async () => {
  const call = { name: 'read', input: {} };
  server = await startAgentServer({ look: call, read: call });
  return () => server.close();
});

describe('the packed library', () => {
  const servers = withServers();

  it.each([
    ['the oldest frameworks', 'oldest', frameworks],
    ['AI SDK 6', 'ai-6', ['ai', '@ai-sdk/openai']],
    ['the newest frameworks', 'newest', []],
  ])('works with %s', async (_name, set, names) => {
    const folder = await projectWith(set, names);
    const outcome = await printed(folder, 'command.js', server.address, String(turns), folder);
    const { kind, isStored, notices, ...worked } = outcome as Record<string, unknown>;
    expectWorked(server, worked);
    expect({ kind, isStored, notices }).toEqual({ kind: 'compacted', isStored: true, notices: [] });
  });

  it.each(['oldest', 'newest'])('works with the %s clients of databases, tokenizer and telemetry', async (set) => {
    const folder = await projectWith(set, others);
    const outcome = await printed(folder, 'peers.js', server.address, servers.postgres.address, servers.redis.address);
    const failed = { postgres: [], redis: [], pglite: [] };
    expect(outcome).toEqual({ failed, tokens: countWithO200k('unabhängig <|im_start|>'), status: 200 });
  });
});

it('the peer ranges begin with what is tested', () => {
  const ranges = manifests.library.peerDependencies as Readonly<Record<string, string>>;
  const tested = Object.entries(oldest.dependencies).filter(([name]) => name in ranges);
  expect(Object.keys(ranges).length).toBe(tested.length + 1);
  expect(tested.filter(([name, version]) => ranges[name] !== `>=${version.replace(/(?:\.0)+$/, '')}`)).toEqual([]);
});
