/** One row of a Markdown table. */
export function tableRow(...cells: readonly (string | number)[]): string {
  return `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|').replace(/\s+/g, ' ')).join(' | ')} |`;
}

/** Somebody else's words, so that none of them is taken for Markdown. */
export function plain(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-!|<>~]/g, '\\$&');
}
