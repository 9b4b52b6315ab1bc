/** Stands where characters of a text were left out. */
export function omission(characters: number): string {
  return `[… ${count(characters, 'character')}]`;
}

/** Stands where whole things were left out, such as "12 earlier turns". */
export function omissionOf(what: string): string {
  return `[… ${what}]`;
}

/** A count with its noun, with thousands apart: "1 call", "3,762 characters". */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`;
}
