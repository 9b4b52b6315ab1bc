const closing: (() => Promise<unknown>)[] = [];

/** Has this closed when the command has ended. What stays open may keep the process running: PGlite does. */
export function atEnd(close: () => Promise<unknown>): void {
  closing.push(close);
}

/** Closes everything, the newest first. */
export async function closeAtEnd(): Promise<void> {
  for (const close of closing.splice(0).reverse()) await close();
}
