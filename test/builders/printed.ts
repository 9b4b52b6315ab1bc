import { vi } from 'vitest';

/** Collects what this work writes to standard output and to standard error. */
export async function printedBy(work: () => Promise<unknown>): Promise<{ readonly out: string; readonly err: string }> {
  const out: string[] = [];
  const err: string[] = [];
  const spies = [collect(process.stdout, out), collect(process.stderr, err)];
  try {
    await work();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return { out: out.join(''), err: err.join('') };
}

function collect(stream: NodeJS.WriteStream, into: string[]) {
  return vi.spyOn(stream, 'write').mockImplementation((text) => {
    into.push(String(text));
    return true;
  });
}
