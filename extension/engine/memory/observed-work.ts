import { type Entry, inputText, readableText, textOf } from '../conversation/entry';
import type { CountTokens } from '../conversation/tokens';
import { conclusionsOf } from './conclusions';
import { stretchesOf } from './stretches';
import { pathOf, stepsByEntry, type ToolStep } from './tool-steps';

/** One or a few tool steps by which something was built or learned. */
export interface ObservedWork {
  /** The steps that were it; looks that led to it come first. */
  readonly steps: readonly ToolStep[];
  /** What the agent concluded from the looks; null where the steps speak for themselves. */
  readonly finding: string | null;
  /** The person's words that it was done for; empty where there are none. */
  readonly request: string;
  /** What the agent said while it did this. */
  readonly said: string;
  readonly tokens: number;
  readonly entryIds: readonly string[];
  readonly timestamp: string | null;
}

/**
 * What was built or learned in these entries. Looking at something is routine; it counts where the agent says what it
 * found, or as the way to the change or the run that follows.
 */
export function observedWorkOf(entries: readonly Entry[], countTokens: CountTokens): ObservedWork[] {
  return stretchesOf(entries).flatMap(({ asked, entries: done }) =>
    new Observer(asked ? textOf(asked.parts) : '', countTokens).watch(done),
  );
}

class Observer {
  readonly #works: ObservedWork[] = [];
  #looks: ToolStep[] = [];
  #open: ToolStep[] = [];

  constructor(
    readonly request: string,
    readonly countTokens: CountTokens,
  ) {}

  watch(entries: readonly Entry[]): ObservedWork[] {
    const steps = stepsByEntry(entries);
    for (const entry of entries) {
      if (entry.role === 'assistant') this.#hear(entry);
      for (const step of steps.get(entry.id) ?? []) this.#see(step);
    }
    this.#close();
    return this.#works;
  }

  /** What the agent says right after looks is what it learned from them. */
  #hear(entry: Entry): void {
    const found = conclusionsOf(textOf(entry.parts)).find(({ kind }) => kind === 'finding' || kind === 'dead-end');
    if (found === undefined || (this.#looks.length === 0 && this.#open.length === 0)) return;
    if (this.#open.length > 0) this.#close();
    else this.#add(this.#looks, found.sentence, [entry.id]);
    this.#looks = [];
  }

  #see(step: ToolStep): void {
    if (step.kind === 'look' && step.problem === null) {
      this.#close();
      this.#looks.push(step);
    } else if (this.#goesOn(step)) {
      this.#open.push(step);
    } else {
      this.#close();
      this.#open = [step];
    }
  }

  /** Changes of one file, one right after the other, are one piece of work. */
  #goesOn(step: ToolStep): boolean {
    const last = this.#open.at(-1);
    if (last?.kind !== 'change' || step.kind !== 'change' || step.problem !== null) return false;
    const path = pathOf(step.call);
    return path !== null && path === pathOf(last.call);
  }

  #close(): void {
    if (this.#open.length === 0) return;
    this.#add([...this.#looks, ...this.#open], null, []);
    this.#looks = [];
    this.#open = [];
  }

  #add(steps: readonly ToolStep[], finding: string | null, more: readonly string[]): void {
    const said = steps.map((step) => step.said).filter((text) => text.trim() !== '');
    this.#works.push({
      steps,
      finding,
      request: this.request,
      said: [...new Set(said), ...(finding === null ? [] : [finding])].join('\n'),
      tokens: steps.reduce((total, step) => total + this.#tokensOf(step), 0),
      entryIds: [...new Set([...steps.flatMap(({ entryIds }) => entryIds), ...more])],
      timestamp: steps.at(-1)?.timestamp ?? null,
    });
  }

  #tokensOf({ call, result }: ToolStep): number {
    return (
      this.countTokens(`${call.name} ${inputText(call.input)}`) + (result ? this.countTokens(readableText(result)) : 0)
    );
  }
}
