import { type Entry, inputText, readableText, textOf, toolCalls } from '../conversation/entry';
import type { CountTokens } from '../conversation/tokens';
import { pathOf, stepsByEntry, type ToolStep } from '../ledger/steps';
import { requestSpans } from './request-spans';

/** One or a few tool steps that built something or found something out. */
export interface ObservedWork {
  /** The steps, including the preceding looks. */
  readonly steps: readonly ToolStep[];
  /** The reply by which the agent ended a turn right after looks, word for word; null for changes and runs. */
  readonly finding: string | null;
  /** The user's request that it was done for; empty if there is none. */
  readonly request: string;
  /** The agent's text with these steps, word for word. */
  readonly texts: readonly string[];
  readonly tokens: number;
  readonly entryIds: readonly string[];
  readonly timestamp: string | null;
}

/**
 * The work in these entries. Looks are routine: they only count if the agent ends its turn after them, or as part of the change or
 * run that follows.
 */
export function observedWorkOf(entries: readonly Entry[], countTokens: CountTokens): ObservedWork[] {
  const said = new Map(
    entries.filter(({ role }) => role === 'assistant').map(({ id, parts }) => [id, textOf(parts).trim()]),
  );
  return requestSpans(entries).flatMap(({ request: asked, entries: done }) =>
    new Observer(asked ? textOf(asked.parts) : '', said, countTokens).watch(done),
  );
}

class Observer {
  readonly #works: ObservedWork[] = [];
  #looks: ToolStep[] = [];
  #open: ToolStep[] = [];

  constructor(
    readonly request: string,
    /** The agent's texts by entry. */
    readonly said: ReadonlyMap<string, string>,
    readonly countTokens: CountTokens,
  ) {}

  watch(entries: readonly Entry[]): ObservedWork[] {
    const steps = stepsByEntry(entries);
    for (const entry of entries) {
      if (entry.role === 'assistant') this.#readReply(entry);
      for (const step of steps.get(entry.id) ?? []) this.#addStep(step);
    }
    this.#close();
    return this.#works;
  }

  /** A reply without calls right after looks is what the agent learned from them. */
  #readReply({ id, parts }: Entry): void {
    const text = this.said.get(id) ?? '';
    if (text === '' || toolCalls(parts).length > 0) return;
    if (this.#open.length > 0) this.#close();
    else if (this.#looks.length > 0) this.#add(this.#looks, text, [id]);
    this.#looks = [];
  }

  #addStep(step: ToolStep): void {
    if (step.kind === 'look' && step.problem === null) {
      this.#close();
      this.#looks.push(step);
    } else if (this.#continues(step)) {
      this.#open.push(step);
    } else {
      this.#close();
      this.#open = [step];
    }
  }

  /** Consecutive changes of one file are one piece of work. */
  #continues(step: ToolStep): boolean {
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
    const entryIds = [...new Set([...steps.flatMap((step) => step.entryIds), ...more])];
    this.#works.push({
      steps,
      finding,
      request: this.request,
      texts: entryIds.flatMap((id) => this.said.get(id) || []),
      tokens: steps.reduce((total, step) => total + this.#tokensOf(step), 0),
      entryIds,
      timestamp: steps.at(-1)?.timestamp ?? null,
    });
  }

  #tokensOf({ call, result }: ToolStep): number {
    return (
      this.countTokens(`${call.name} ${inputText(call.input)}`) + (result ? this.countTokens(readableText(result)) : 0)
    );
  }
}
