import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Frame, Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Axe {
  configure(settings: unknown): void;
  run(context: unknown, options: unknown): Promise<{ violations: readonly Violation[] }>;
}

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly ViolatingNode[];
}

interface ViolatingNode {
  readonly target: readonly unknown[];
  readonly html: string;
  readonly failureSummary?: string;
}

/**
 * axe's violations on the page, each rule with its places. The debugger evaluates it, because the page's policy does
 * not restrict the debugger.
 */
export async function violationsOf(page: Page | Frame): Promise<string[]> {
  await page.evaluate(source);
  const { violations } = await page.evaluate(() => {
    const { axe } = globalThis as unknown as { axe: Axe };
    // The name of a row explains its columns, as in VS Code's own lists. The rule would treat the whole row as its
    // label.
    axe.configure({ rules: [{ id: 'label-content-name-mismatch', selector: ':not([role=treeitem])' }] });
    return axe.run(document, { resultTypes: ['violations'] });
  });
  return violations.map(({ id, help, nodes }) => `${id}: ${help}${nodes.slice(0, nodesShown).map(nodeText).join('')}`);
}

/** Maximum number of places reported for one rule, because further ones mostly repeat them. */
const nodesShown = 12;

function nodeText({ target, html, failureSummary = '' }: ViolatingNode): string {
  const why = failureSummary.split('\n').slice(1, 2).join('').trim();
  return `\n        ${target.join(' ')} ${html.slice(0, 120)} ${why}`;
}
