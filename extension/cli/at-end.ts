const closing: (() => Promise<unknown>)[] = [];

/** Closes this when the command has ended. Anything left open may keep the process running, as PGlite does. */
export function atEnd(close: () => Promise<unknown>): void {
  closing.push(close);
}

/** Closes everything, the newest first. */
export async function closeAtEnd(): Promise<void> {
  for (const close of closing.splice(0).reverse()) await close();
}
