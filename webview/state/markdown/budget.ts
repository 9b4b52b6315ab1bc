class OverBudget extends Error {
  override name = 'OverBudget';
}

/** Maximum number of elements of a text, and their maximum nesting depth. */
const mostNodes = 12_000;
const deepest = 24;

/** Counts the elements of a text, so that no text can flood the page. */
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
