/** `1 block`, `2 blocks`, in English, for logs and the command line. The noun takes an s. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
