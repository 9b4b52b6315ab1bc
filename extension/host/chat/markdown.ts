export function tableRow(...cells: readonly (string | number)[]): string {
  return `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|').replace(/\s+/g, ' ')).join(' | ')} |`;
}

/** Escapes text so that it is not rendered as Markdown. */
export function plain(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-!|<>~]/g, '\\$&');
}
