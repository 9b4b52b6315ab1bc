export const committing = /\bgit\s+(?:-\S+\s+\S+\s+)*commit\b/;

export const pushing = /\bgit\s+(?:-\S+\s+\S+\s+)*push\b|\bgh\s+pr\s+create\b/;

const switching =
  /\bgit\s+(?:-\S+\s+\S+\s+)*(?:checkout\s+(?:-[bB]\s+)?|switch\s+(?:-[cC]\s+)?)([\w./-]+)(?=\s|$|[;&|])/g;

/** The branch that a command line ends on; null if it changes none. */
export function branchIn(line: string): string | null {
  const names = [...line.matchAll(switching)].map(([, name = '']) => name);
  return names.findLast((name) => !name.startsWith('-') && !/\.\w{1,5}$|^\.$/.test(name)) ?? null;
}
