/** Token counts for display, as in the panel: 950, 12.4k, 142.6k, 182k, 1.2M. */
export function tokensText(tokens: number): string {
  if (tokens < 1000) return String(Math.round(tokens));
  if (tokens < 999_950) return `${oneDecimal(tokens / 1000)}k`;
  return `${oneDecimal(tokens / 1_000_000)}M`;
}

/** Whole percent; `<1 %` for small shares above 0. */
export function shareText(part: number, whole: number): string {
  const percent = whole > 0 ? (part / whole) * 100 : 0;
  return percent > 0 && percent < 1 ? '<1 %' : `${Math.round(percent)} %`;
}

function oneDecimal(value: number): string {
  return value.toFixed(1).replace(/\.0$/, '');
}
