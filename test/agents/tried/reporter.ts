import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { agentNames } from '../../../extension/sessions/session';
import { type Shapes, shapeChanges, shapesFile, shapesFolder } from './shapes';
import { type Check, type Tried, triedIn, triedParts, withTried } from './tried-table';

const page = resolve(import.meta.dirname, '../../../docs/agents.md');
const pins = resolve(import.meta.dirname, '../versions.json');

/** Records what a run with the newest agents has tested. */
export default class TriedReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tried = triedIn(modules.flatMap(checksOf));
    for (const one of tried) for (const line of linesOf(one)) console.log(line);
    const day = new Date().toISOString().slice(0, 10);
    writeFileSync(page, withTried(readFileSync(page, 'utf8'), tried, day));
    for (const one of tried) if (isWhole(one)) moveUp(one);
  }
}

function checksOf(module: TestModule): Check[] {
  return [...module.children.allTests()].map((test) => ({
    file: module.moduleId,
    titles: titlesOf(test),
    isSkipped: test.result().state === 'skipped',
    hasFailed: test.result().state === 'failed',
  }));
}

function titlesOf(test: TestCase): string[] {
  const titles = [test.name];
  for (let { parent } = test; parent.type === 'suite'; { parent } = parent) titles.unshift(parent.name);
  return titles;
}

/**
 * Lists the failures of an agent. If there are any, also the differences in what it writes and sends compared with its pinned
 * version.
 */
function linesOf({ agent, version, checks }: Tried): string[] {
  const broken = triedParts.flatMap((part) => checks[part]).filter(({ hasFailed }) => hasFailed);
  if (broken.length === 0) return [];
  const [before, now] = [shapesIn(shapesFile(agent)), shapesIn(join(shapesFolder ?? '', `${agent}.json`))];
  const changes = before && now ? shapeChanges(before, now) : [];
  return [
    `\n${agentNames[agent]} ${version} (pinned: ${pinned()[agent]})`,
    ...broken.map(({ titles }) => `  broke: ${titles.join(' > ')}`),
    ...(now === null ? ['  It wrote no session to compare.'] : changes.map((change) => `  ${change}`)),
    ...(now !== null && changes.length === 0
      ? ['  It writes and sends the same fields, tools and tags as before.']
      : []),
  ];
}

/** The agent's sessions were compared, and no check failed. */
function isWhole({ checks }: Tried): boolean {
  const all = triedParts.flatMap((part) => checks[part]);
  return checks.sessions.length > 0 && all.every(({ hasFailed }) => !hasFailed);
}

function moveUp({ agent, version }: Tried): void {
  writeFileSync(pins, `${JSON.stringify({ ...pinned(), [agent]: version }, null, 2)}\n`);
  const now = shapesIn(join(shapesFolder ?? '', `${agent}.json`));
  if (now !== null) writeFileSync(shapesFile(agent), `${JSON.stringify(now, null, 2)}\n`);
}

function pinned(): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(pins, 'utf8'));
}

function shapesIn(file: string): Shapes | null {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}
