/** The mark in place of characters that were left out. `reference` names the text. */
export function omission(characters: number, reference = ''): string {
  return omissionOf(count(characters, 'character'), reference);
}

/** The mark in place of whole things, such as "12 earlier turns". `reference` names them. */
export function omissionOf(what: string, reference = ''): string {
  return `[… ${what}${reference === '' ? '' : `: ${reference}`}]`;
}

/** Says by which call the agent gets back the one thing that was left out here. */
export function callToRecall(tool: string, reference: string): string {
  return `All of it: ${tool} { "ids": ["${reference}"] }.`;
}

/** Tells the agent that reads a context how to look up a reference in it. */
export function howToRecall(tool: string): string {
  return `(A reference in brackets, such as […: abc], names what was left out: ${tool} { "ids": ["abc"] } gives all of it.)`;
}

/** A count with its noun and a thousands separator: "1 call", "3,762 characters". */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`;
}
