import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { launchChromium } from './browser-editor/chromium.ts';
import { type FillHome, KeptEditor } from './browser-editor/kept-editor.ts';
import { openWorkbench, type Workbench, type WorkbenchOptions } from './browser-editor/workbench.ts';
import { type Example, failing, type Outcome, outcomeOf, runExamples, type Tally } from './suite.ts';
import { type OpenEditor, walks } from './walk.ts';

const WALK_TIMEOUT_MS = 180_000;
/** An editor that fails on a loaded machine is not a fault of Strata. A walk that also fails alone is. */
const ATTEMPTS = 3;
const LEAVE_TIMEOUT_MS = 60_000;

/** A walk keeps about one core busy: its page, the editor's server and the extension host take turns. */
const LANES = Math.min(4, Math.max(2, availableParallelism()));

const walkFolder = join(import.meta.dirname, 'walks');

/** Runs the walks of every `walks/*.walk.ts` whose name contains `word`, several at once. */
export async function runWalks(word = ''): Promise<Tally> {
  const examples = await loadWalks(word);
  const browser = await launchChromium();
  const free = Array.from({ length: LANES }, () => new Lane(browser));
  const takeWalk = async (example: Example<OpenEditor>) => {
    const lane = free.pop() ?? new Lane(browser);
    const outcome = await lane.take(example);
    free.push(lane);
    return outcome;
  };
  try {
    return await runExamples(longestFirst(examples), takeWalk, { concurrency: LANES, attempts: ATTEMPTS });
  } finally {
    for (const lane of free) await lane.end();
    await browser.close();
  }
}

/** Long walks begin first, because a long walk that begins last would run alone at the end. */
function longestFirst(examples: readonly Example<OpenEditor>[]): readonly Example<OpenEditor>[] {
  return examples.toSorted((a, b) => (b.timeoutMs ?? WALK_TIMEOUT_MS) - (a.timeoutMs ?? WALK_TIMEOUT_MS));
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

/** Runs walks one after the other, and keeps an editor for those that can share one. */
class Lane {
  readonly #browser: Browser;
  #kept: Promise<KeptEditor> | null = null;

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  async take(example: Example<OpenEditor>): Promise<Outcome> {
    const opened: Promise<Workbench>[] = [];
    const openEditor = (how: WorkbenchOptions | FillHome = {}) => {
      const opening = typeof how === 'function' ? this.#openKept(how) : openWorkbench(this.#browser, how);
      opened.push(opening);
      return opening;
    };
    const outcome = await outcomeOf(() => example.show(openEditor), example.timeoutMs ?? WALK_TIMEOUT_MS);
    const evidence = outcome.kind === 'failed' ? `failed-${fileName(example.sentence)}` : undefined;
    const leaving = await outcomeOf(() => leave(opened, evidence), LEAVE_TIMEOUT_MS);
    const isAsNew = outcome.kind === 'passed' && leaving.kind === 'passed';
    if (!isAsNew) await this.end();
    return outcome.kind === 'failed' ? outcome : leaving;
  }

  async #openKept(fillHome: FillHome): Promise<Workbench> {
    this.#kept ??= KeptEditor.start(this.#browser);
    return await (await this.#kept).open(fillHome);
  }

  /** Closes the kept editor. A later walk starts another one. */
  async end(): Promise<void> {
    const [kept] = await Promise.allSettled([this.#kept]);
    this.#kept = null;
    if (kept.status === 'fulfilled') await kept.value?.end();
  }
}

/** Closes every editor that the walk opened. If the walk failed, stores what they showed. */
async function leave(opened: readonly Promise<Workbench>[], evidence: string | undefined): Promise<void> {
  const openings = await Promise.allSettled(opened);
  const workbenches = openings.flatMap((opening) => (opening.status === 'fulfilled' ? [opening.value] : []));
  for (const [index, workbench] of workbenches.entries()) {
    if (evidence !== undefined) await workbench.keepEvidence(`${evidence}-${index + 1}`);
    await workbench.close();
  }
}

const fileName = (sentence: string) => sentence.toLowerCase().replace(/[^a-z0-9]+/g, '-');
