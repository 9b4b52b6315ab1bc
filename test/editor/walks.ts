import { globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { launchChromium } from './browser-editor/chromium.ts';
import { openWorkbench, type Workbench, type WorkbenchOptions } from './browser-editor/workbench.ts';
import { type Example, failing, type Outcome, outcomeOf, runExamples, type Tally } from './suite.ts';
import { type OpenEditor, walks } from './walk.ts';

const WALK_TIMEOUT_MS = 180_000;
const LEAVE_TIMEOUT_MS = 60_000;

const walkFolder = join(import.meta.dirname, 'walks');

/** Takes the walks of every `walks/*.walk.ts` whose name contains `word`. */
export async function runWalks(word = ''): Promise<Tally> {
  const examples = await loadWalks(word);
  const browser = await launchChromium();
  try {
    return await runExamples(examples, (example) => takeWalk(browser, example));
  } finally {
    await browser.close();
  }
}

async function loadWalks(word: string): Promise<readonly Example<OpenEditor>[]> {
  const files = globSync('**/*.walk.ts', { cwd: walkFolder })
    .sort()
    .filter((file) => file.includes(word));
  if (files.length === 0) return [failing(`there are walks with "${word}" in their file's name`, new Error('None.'))];
  const examples = [];
  for (const file of files) {
    examples.push(...(await walks.examplesOf(file, () => import(pathToFileURL(join(walkFolder, file)).href))));
  }
  return examples;
}

async function takeWalk(browser: Browser, example: Example<OpenEditor>): Promise<Outcome> {
  const opened: Promise<Workbench>[] = [];
  const openEditor = (options?: WorkbenchOptions) => {
    const opening = openWorkbench(browser, options);
    opened.push(opening);
    return opening;
  };
  const outcome = await outcomeOf(() => example.show(openEditor), example.timeoutMs ?? WALK_TIMEOUT_MS);
  const evidence = outcome.kind === 'failed' ? `failed-${fileName(example.sentence)}` : undefined;
  const leaving = await outcomeOf(() => leave(opened, evidence), LEAVE_TIMEOUT_MS);
  return outcome.kind === 'failed' ? outcome : leaving;
}

/** Every editor that the walk opened is closed, and those of a walk that failed leave behind what they showed. */
async function leave(opened: readonly Promise<Workbench>[], evidence: string | undefined): Promise<void> {
  const openings = await Promise.allSettled(opened);
  const workbenches = openings.flatMap((opening) => (opening.status === 'fulfilled' ? [opening.value] : []));
  for (const [index, workbench] of workbenches.entries()) {
    if (evidence !== undefined) await workbench.keepEvidence(`${evidence}-${index + 1}`);
    await workbench.close();
  }
}

const fileName = (sentence: string) => sentence.toLowerCase().replace(/[^a-z0-9]+/g, '-');
