/** Counts of tests at the end of a test runner's output. */

const passes = /\b\d+ (?:tests? )?(?:pass(?:ed|ing)?|ok)\b|\btest result: ok\b/i;
const failures = /\b[1-9]\d* (?:tests? )?(?:errors?|fail(?:ed|ing|ures?)?)\b/i;

/** In UTF-16 units. */
const searched = 3000;

/** The part of an output where a runner counts. */
export function endOfOutput(output: string): string {
  return output.slice(-searched);
}

export function countsPasses(line: string): boolean {
  return passes.test(line);
}

export function countsFailures(line: string): boolean {
  return failures.test(line);
}
