/** Median milliseconds of a piece of work, after one run to warm up. */
export async function median(runs: number, work: () => unknown): Promise<number> {
  await work();
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  return times.sort((a, b) => a - b)[Math.floor(runs / 2)] ?? 0;
}

export interface Comparison {
  readonly what: string;
  readonly baseline: string;
  readonly baselineMs: number;
  readonly measured: string;
  readonly measuredMs: number;
  /** The ratio of the measured input's size to the baseline's. */
  readonly inputRatio: number;
}

/** Prints a measurement as a ratio. 1.0 means that the time grew as the input did, or that both took the same time. */
export function report({ what, baseline, baselineMs, measured, measuredMs, inputRatio }: Comparison): void {
  const ratio = measuredMs / baselineMs / inputRatio;
  console.log(
    `${what}: ${ratio.toFixed(2)} (${measured} ${measuredMs.toFixed(2)} ms, ${baseline} ${baselineMs.toFixed(2)} ms)`,
  );
}

/** The longest time in milliseconds for which a piece of work blocked everything else in this process. */
export async function longestBlock(work: () => unknown): Promise<number> {
  let longest = 0;
  let last = performance.now();
  const beat = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const beating = setInterval(beat, 1);
  try {
    await work();
    await new Promise((resolve) => setTimeout(resolve, 5));
  } finally {
    clearInterval(beating);
  }
  return longest;
}
