/** Stands where characters of a text were left out. `reference` names the text. */
export function omission(characters: number, reference = ''): string {
  return omissionOf(count(characters, 'character'), reference);
}

/** Stands where whole things were left out, such as "12 earlier turns". `reference` names them. */
export function omissionOf(what: string, reference = ''): string {
  return `[… ${what}${reference === '' ? '' : `: ${reference}`}]`;
}

/** Says by which call the agent gets back the one thing that was left out here. */
export function callToRecall(tool: string, reference: string): string {
  return `All of it: ${tool} { "ids": ["${reference}"] }.`;
}

/** Says how the agent that reads a context gets back what a reference in it names. */
export function howToRecall(tool: string): string {
  return `(A reference in brackets, such as […: abc], names what was left out: ${tool} { "ids": ["abc"] } gives all of it.)`;
}

/** A count with its noun, with thousands apart: "1 call", "3,762 characters". */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`;
}
