export class OverBudget extends Error {
  override name = 'OverBudget';
}

/** Elements that a text may become, and how deep they may lie within each other. More than that nobody reads as such. */
const mostNodes = 12_000;
const deepest = 24;

/** Counts what a text is about to become, so that none can fill the page. */
export class Budget {
  #left = mostNodes;
  #depth = 0;

  spend(): void {
    this.#left -= 1;
    if (this.#left < 0) throw new OverBudget('The text has too many parts');
  }

  within<T>(work: () => T): T {
    this.#depth += 1;
    if (this.#depth > deepest) throw new OverBudget('The text is nested too deep');
    const result = work();
    this.#depth -= 1;
    return result;
  }
}
